/* The home page: chapters, sections and exercises with the learner's progress, as the notebooks in work/ have it. */
import { gradeId } from './cells.js';

const SIGNS = { right: '✓', written: '✎', fails: '✗', wrong: '✗', unchecked: '?', open: '' };

/* h('p', {class: 'x', onclick: f}, 'text', child): an element; its texts are never read as HTML. */
export function h(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      node.addEventListener(key.slice(2), value);
    } else {
      node.setAttribute(key, value);
    }
  }
  node.append(...children);
  return node;
}

const number = value => String(Math.round(value * 100) / 100);

export const time = minutes => minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;

function bar(tally) {
  const share = count => `width:${100 * count / Math.max(tally.exercises, 1)}%`;
  const words = `${tally.right} right, ${tally.tried} tried, ${tally.open} open`;
  return h('div', { class: 'd2l-bar', title: words, role: 'img', 'aria-label': words },
           h('span', { class: 'd2l-right', style: share(tally.right) }),
           h('span', { class: 'd2l-tried', style: share(tally.tried) }));
}

/* Opens a notebook, at an exercise if one is named. */
export async function openPage({ app, lab }, path, exercise) {
  const panel = await app.commands.execute('docmanager:open', { path, factory: 'Notebook' });
  if (exercise && panel?.content) {
    await panel.context.ready;
    await panel.revealed;
    const name = `task-${exercise.replaceAll('.', '-')}`;
    const index = panel.content.widgets.findIndex(cell => gradeId(cell) === name);
    if (index >= 0) {
      panel.content.activeCellIndex = index;
      await panel.content.scrollToItem(index, 'start');
      panel.content.activate();           // the keys go on from here
    }
  }
}

function section(book, page, next) {
  const chips = page.exercises.map(exercise => h('button', {
    class: `d2l-chip d2l-${exercise.state}${exercise.core ? ' d2l-core' : ''}`,
    title: `${exercise.title}: ${exercise.reason}`,
    'aria-label': `${exercise.number}, ${exercise.core ? 'core path, ' : ''}${exercise.title}: ${exercise.reason}`,
    onclick: () => openPage(book, page.path, exercise.number)
  }, exercise.number, h('span', { 'aria-hidden': 'true' }, SIGNS[exercise.state])));
  const link = h('a', { href: '#', class: 'd2l-section', onclick: event => {
    event.preventDefault();
    openPage(book, page.path);
  } }, page.title);
  const t = page.tally;
  const here = next && next.path === page.path;
  const core = page.core.minutes && page.core.minutes < t.minutes ? ` (core ${time(page.core.minutes)})` : '';
  return h('div', here ? { class: 'd2l-page d2l-here', 'aria-current': 'true' } : { class: 'd2l-page' },
           h('div', { class: 'd2l-row' }, link, bar(t),
             h('span', {}, `${t.right} of ${t.exercises} right`),
             h('span', {}, `${number(t.earned)} of ${number(t.points)} points`),
             h('span', {}, t.minutes ? `${time(t.minutes)} left${core}` : 'done')),
           page.trouble ? h('p', { class: 'd2l-trouble' }, page.trouble) : '',
           h('details', {}, h('summary', { 'aria-label': `exercises of ${page.title}` }, 'exercises'), h('div', { class: 'd2l-chips' }, ...chips)));
}

// in the reader's own time zone; once it is past, it says so
function due(chapter) {
  const when = new Date(chapter.due || NaN);
  if (isNaN(when)) return '';
  const words = when.toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' });
  return h('p', { class: 'd2l-due' }, when < new Date() ? `Was due ${words}` : `Due ${words}`);
}

function draw(book, node, found) {
  const opened = new Set([...node.querySelectorAll('details[open]')].map(d => d.dataset.key));
  const t = found.tally;
  const core = found.core;
  const next = found.next;                                      // course.learner.progress.suggestion has the rule
  const go = next && h('button', { class: 'd2l-go', onclick: () => openPage(book, next.path, next.number),
                                   title: next.builds_on && `Builds on ${next.builds_on}` },
                       `${t.right + t.tried ? 'Go on' : 'Begin'} with ${next.number} · ${next.title}`);
  node.replaceChildren(
    h('h1', {}, 'Deep learning, in exercises'),
    t.right + t.tried ? '' : h('p', { class: 'd2l-welcome' },
      'Welcome. Read a section, write what it asks into the cells with the coloured border, and run the check below each: it ' +
      'says what is right and what to do next. Nothing is sent anywhere, and nothing can break. The core path is what ' +
      'later sections build on; the other exercises are for practice.'),
    h('p', {}, `All exercises: ${t.right} of ${t.exercises} right, ${t.tried} tried, ${t.open} open · ` +
               `${number(t.earned)} of ${number(t.points)} points · ${time(t.minutes)} left`),
    bar(t),
    h('p', {}, `Core path: ${core.right} of ${core.exercises} right` + (core.minutes ? ` · ${time(core.minutes)} left` : '')),
    bar(core),
    h('p', { class: 'd2l-actions' }, go ?? '', h('button', { onclick: () => book.refreshHome() }, 'Refresh'),
      h('button', { onclick: () => book.app.commands.execute('book:todo') }, 'What is left before I submit?')),
    found.notes.length ? h('div', { class: 'd2l-news' }, ...found.notes.map(note => h('div', {}, note))) : '',
    ...found.chapters.flatMap(chapter => [h('h2', {}, chapter.title), due(chapter), ...chapter.pages.map(page => section(book, page, next))]),
    found.index ? h('p', {}, h('a', { href: '#', class: 'd2l-section', onclick: event => {
      event.preventDefault();
      openPage(book, found.index);
    } }, 'Index of ideas')) : '',
    h('p', { class: 'd2l-note' }, 'Bold numbers: the core path · ✓ passes its visible check · ✎ written, a person marks it · ✗ fails its visible check · ',
      '? answered, its check was not run since. Read from your notebooks as they are saved; hidden tests run at grading.'));
  node.querySelectorAll('details').forEach((details, i) => {
    details.dataset.key = i;
    details.open = opened.has(String(i));
  });
}

export function activate(book) {
  const { app, tracker, lab, ask, command } = book;
  let home = null;

  async function refresh() {
    const node = home.content.node;
    try {
      draw(book, node, await ask('progress'));
    } catch (error) {
      node.replaceChildren(h('p', { class: 'd2l-trouble' }, `Your progress cannot be shown. ${error.message}`));
    }
  }
  book.refreshHome = refresh;

  function make() {
    const content = new lab.Widget();
    content.addClass('d2l-home');
    const main = new lab.MainAreaWidget({ content });
    main.id = 'exercise-book-home';
    main.title.label = 'Home';
    main.title.caption = 'Chapters, sections and your progress';
    main.title.closable = true;
    main.toolbar.hide();
    content.onAfterShow = refresh;
    return main;
  }

  function show(activate) {
    if (!home || home.isDisposed) {
      home = make();
    }
    if (!home.isAttached) {
      const first = [...app.shell.widgets('main')][0];
      app.shell.add(home, 'main', first ? { ref: first.id, mode: 'tab-before', activate } : { activate });
    }
    if (activate) {
      app.shell.activateById(home.id);
    }
    return refresh();
  }

  command('book:home', { label: 'Home: Chapters and Progress', execute: () => show(true) });
  const follow = panel => {
    panel.context.saveState.connect((_, state) => state === 'completed' && home?.isVisible && refresh());
    if (panel.context.path.startsWith('work/')) {
      panel.toolbar.insertItem(0, 'book-home', new lab.ToolbarButton({
        label: 'Home', tooltip: 'Chapters and your progress', onClick: () => app.commands.execute('book:home')
      }));
    }
  };
  tracker.forEach(follow);
  tracker.widgetAdded.connect((_, panel) => follow(panel));
  const asked = /\/tree\//.test(window.location.pathname);      // the address names a page: it stays in front
  app.restored.then(() => show(!asked));
}
