/* Running: a cell run before the kernel is there waits for it; setup cells run when a kernel starts; one key runs an answer
 * and its check; an answer that was edited since it ran is marked, and so is its check; after a pass the next exercise. */
import { gradeId } from './answers.js';
import { h, openPage } from './home.js';

const HELD = ['run', 'runAndAdvance', 'runAndInsert', 'runCells', 'runAll', 'runAllAbove', 'runAllBelow'];
const number = cell => gradeId(cell).replace(/^[a-z]+-/, '').replaceAll('-', '.');
const is = (kind, cell) => gradeId(cell).startsWith(`${kind}-`);
const source = cell => cell.model.sharedModel.source;
const beside = (notebook, kind, cell) =>
  notebook.widgets.find(other => gradeId(other) === `${kind}-${gradeId(cell).replace(/^[a-z]+-/, '')}`);

/* JupyterLab drops a run, or asks which kernel to take, in the second between the page and its kernel. And a check needs what
 * the setup cells import: in a new kernel they run before the first cell that is asked for. */
function hold({ NotebookActions }, tracker) {
  const prepared = new WeakSet();         // kernels, until they restart
  const followed = new WeakSet();

  async function prepare(context) {
    const panel = tracker.find(one => one.sessionContext === context);
    for (let i = 0; i < 200 && !context.session?.kernel && !context.isDisposed && !context.isTerminating; i++) {
      await (i ? new Promise(go => setTimeout(go, 50)) : context.ready);
    }
    const kernel = context.session?.kernel;
    if (!kernel || !panel?.context.path.startsWith('work/')) {
      return;
    }
    if (!followed.has(context)) {
      followed.add(context);
      context.statusChanged.connect((_, status) => {
        if (status === 'restarting' || status === 'autorestarting') {
          prepared.delete(context.session?.kernel);
        }
      });
    }
    if (!prepared.has(kernel)) {
      prepared.add(kernel);
      for (const cell of panel.content.widgets.filter(one => is('setup', one))) {
        kernel.requestExecute({ code: source(cell), store_history: false, stop_on_error: false });
      }
    }
  }

  for (const name of HELD) {
    const run = NotebookActions[name];
    if (run) {
      NotebookActions[name] = async (...all) => {
        const context = all.find(one => one?.ready && 'session' in one);
        if (context) {
          await prepare(context);
        }
        return run.apply(NotebookActions, all);
      };
    }
  }
}

function note(cell, name, ...children) {
  cell.node.querySelector(`:scope > .${name}`)?.remove();
  if (children.length) {
    cell.node.append(h('div', { class: name, role: 'status' }, ...children));
  }
}

export function activate(book) {
  const { app, tracker, lab, command } = book;
  const ran = new WeakMap();              // answer cell -> the text of it that ran
  hold(lab, tracker);

  function stale(notebook, answer) {
    const edited = ran.has(answer.model) && ran.get(answer.model) !== source(answer);
    answer.toggleClass('d2l-stale', edited);
    const check = beside(notebook, 'check', answer);
    if (check) {
      check.toggleClass('d2l-stale', edited);
      note(check, 'd2l-edited', ...(edited ? [`The answer ${number(answer)} was edited since it ran: run it, then this check.`] : []));
      if (edited) {
        note(check, 'd2l-next');
      }
    }
  }

  function next(notebook, check) {
    const at = notebook.widgets.indexOf(check);
    const task = notebook.widgets.find((cell, i) => i > at && is('task', cell));
    const title = task && source(task).match(/### Exercise (.*)/)?.[1];
    return [
      task ? h('button', { class: 'd2l-go', onclick: () => openPage(book, tracker.currentWidget.context.path, number(task)) },
               `Next: ${title ?? number(task)}`)
           : h('button', { class: 'd2l-go', onclick: () => app.commands.execute('book:home') }, 'The section is done: home page'),
      book.canGrade ? h('button', { onclick: () => app.commands.execute('book:solution', { number: number(check) }) },
                        'The book\'s answer') : ''];
  }

  lab.NotebookActions.executed.connect((_, { notebook, cell, success }) => {
    if (is('answer', cell)) {
      ran.set(cell.model, source(cell));
      stale(notebook, cell);
    } else if (is('check', cell)) {
      const outputs = cell.model.outputs?.toJSON() ?? [];
      const passed = success && outputs.some(one => one.metadata?.d2l_check?.passed);
      note(cell, 'd2l-next', ...(passed ? next(notebook, cell) : []));
      const answer = beside(notebook, 'answer', cell);
      if (answer) {
        stale(notebook, answer);
      }
    }
  });

  function follow(panel) {
    const watched = new WeakSet();
    const watch = () => panel.isDisposed || panel.content.widgets.forEach(cell => {
      if (is('answer', cell) && cell.model.type === 'code' && !watched.has(cell.model)) {
        watched.add(cell.model);
        cell.model.contentChanged.connect(() => panel.isDisposed || stale(panel.content, cell));
      }
    });
    panel.context.ready.then(() => {
      panel.content.model.cells.changed.connect(() => requestAnimationFrame(watch));
      requestAnimationFrame(watch);
    });
  }

  tracker.forEach(follow);
  tracker.widgetAdded.connect((_, panel) => follow(panel));

  async function check() {
    const panel = tracker.currentWidget, notebook = panel.content;
    const widgets = notebook.widgets;
    let at = notebook.activeCellIndex;
    // the exercise in which the cursor stands: that of the last task above, or of the cell itself
    while (at > 0 && !['task', 'answer', 'check', 'hints', 'written'].some(kind => is(kind, widgets[at]))) {
      at--;
    }
    const name = gradeId(widgets[at]).replace(/^[a-z]+-/, '');
    const cells = ['answer', 'check'].map(kind => widgets.find(cell => gradeId(cell) === `${kind}-${name}`)).filter(Boolean);
    if (!name || !cells.length) {
      lab.Notification.info('There is no check here: put the cursor into an exercise.', { autoClose: 4000 });
      return;
    }
    await lab.NotebookActions.runCells(notebook, cells, panel.sessionContext);
    notebook.activeCellIndex = widgets.indexOf(cells.at(-1));
    await notebook.scrollToItem(notebook.activeCellIndex, 'smart');
  }

  command('book:check', {
    label: 'Run This Answer and Its Check',
    caption: 'The answer cell of the exercise in which the cursor stands, and the check below it (Ctrl Shift Enter)',
    isEnabled: () => !!tracker.currentWidget?.context.path.startsWith('work/'),
    execute: check
  });
  app.commands.addKeyBinding({ command: 'book:check', keys: ['Ctrl Shift Enter'], selector: '.jp-Notebook' });
  tracker.currentChanged.connect(() => app.commands.notifyCommandChanged('book:check'));

  function button(panel) {
    if (panel.context.path.startsWith('work/') && !panel.context.path.startsWith('work/index/')) {
      panel.toolbar.insertItem(1, 'book-check', new lab.ToolbarButton({
        label: 'Check', tooltip: 'Run the answer where the cursor stands, and its check (Ctrl Shift Enter)', onClick: check
      }));
    }
  }
  tracker.forEach(button);
  tracker.widgetAdded.connect((_, panel) => button(panel));
}
