/* Grades the open notebook with the hidden tests and shows the result beside it. Only where this copy of the book has
 * the tests: a student of a course has not, and sees no button. */
import { h, openPage } from './home.js';

const CLASSES = { right: 'right', wrong: 'fails', 'partly right': 'unchecked' };

/* A button that unfolds into the book's answer and other right ones. */
function answer(book, report, row) {
  const place = h('div', {}, h('button', { class: 'd2l-chip', onclick: async () => {
    try {
      const found = await book.ask('grade', { path: report.path, solution: row.number });
      const texts = [['The book', found.code], ['The book, in words', found.words], ...found.others];
      place.replaceChildren(...texts.filter(([, text]) => text).flatMap(([how, text]) => [h('i', {}, how), h('pre', {}, text)]));
    } catch (error) {
      place.replaceChildren(h('p', { class: 'd2l-trouble' }, error.message));
    }
  } }, 'The book\'s answer, and others'));
  return place;
}

function draw(book, node, report) {
  const answered = report.rows.filter(row => row.state !== 'not answered');
  node.replaceChildren(
    h('h2', {}, `${report.title}: hidden tests`),
    h('p', { class: 'd2l-summary', role: 'status' }, report.summary),
    ...answered.map(row => h('div', { class: 'd2l-verdict' },
      h('button', { class: `d2l-chip d2l-${CLASSES[row.state] ?? 'open'}`, title: row.title,
                    onclick: () => openPage(book, report.path, row.number) }, row.number),
      h('b', {}, ` ${row.state}`), row.out_of ? ` · ${row.points} of ${row.out_of} points` : '',
      row.message ? h('div', {}, row.message) : '',
      ['right', 'in words'].includes(row.state) ? answer(book, report, row) : '')),
    ...report.warnings.map(warning => h('p', { class: 'd2l-trouble' }, warning)),
    answered.length ? '' : h('p', {}, 'Nothing is answered here yet.'),
    h('p', { class: 'd2l-note' }, 'In a terminal: course check, course watch (at each save), course solution.'));
}

export function activate(book) {
  const { app, tracker, lab, ask, command } = book;
  let results = null, possible = false;

  async function grade() {
    const panel = tracker.currentWidget;
    if (!results || results.isDisposed) {
      const content = new lab.Widget();
      content.addClass('d2l-home');
      content.node.setAttribute('role', 'region');
      content.node.setAttribute('aria-label', 'Hidden tests');
      results = new lab.MainAreaWidget({ content });
      results.id = 'exercise-book-grade';
      results.title.label = 'Hidden tests';
      results.title.closable = true;
      results.toolbar.hide();
    }
    const node = results.content.node;
    node.replaceChildren(h('p', { role: 'status' }, 'Running the hidden tests …'));
    if (!results.isAttached) {
      app.shell.add(results, 'main', { ref: panel.id, mode: 'split-right', activate: false });
    }
    try {
      await panel.context.save();
      draw(book, node, await ask('grade', { path: panel.context.path }));
    } catch (error) {
      node.replaceChildren(h('p', { class: 'd2l-trouble' }, error.message));
    }
  }

  command('book:grade', {
    label: 'Grade This Notebook with the Hidden Tests',
    isVisible: () => possible,
    isEnabled: () => possible && !!tracker.currentWidget?.context.path.startsWith('work/'),
    execute: grade
  });

  function add(panel) {
    if (panel.context.path.startsWith('work/') && !panel.context.path.startsWith('work/index/')) {
      panel.toolbar.insertItem(1, 'book-grade', new lab.ToolbarButton({
        label: 'Grade', tooltip: 'Save, and run the hidden tests on your answers', onClick: grade
      }));
    }
  }

  command('book:solution', {
    label: 'Show the Book\'s Answer',
    isVisible: () => possible,
    isEnabled: () => possible,
    execute: async ({ number }) => {
      const path = tracker.currentWidget.context.path;
      await grade();
      const row = [...results.content.node.querySelectorAll('.d2l-verdict')].find(
        one => one.querySelector('button')?.textContent === number && one.querySelectorAll('button').length > 1);
      row?.scrollIntoView({ block: 'center' });
      row?.querySelectorAll('button')[1].click();
      return path;
    }
  });

  ask('progress').then(found => {
    book.canGrade = possible = found.can_grade;
    app.commands.notifyCommandChanged('book:grade');
    if (possible) {
      tracker.forEach(add);
      tracker.widgetAdded.connect((_, panel) => add(panel));
    }
  }, () => {});
}
