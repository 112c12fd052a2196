/* Running: a cell run before the kernel is there waits for it; setup cells run when a kernel starts; one key runs an answer
 * and its check; after a pass the next exercise. */
import { beside, is, key, note, number, record, source } from './cells.js';
import { h, openPage } from './home.js';

const HELD = ['run', 'runAndAdvance', 'runAndInsert', 'runCells', 'runAll', 'runAllAbove', 'runAllBelow'];

const pause = seconds => new Promise(go => setTimeout(go, 1000 * seconds));

/* The kernel, when it is there. Where the server was started anew under an open page, a new one; null where none comes. */
async function connected(context) {
  await context.ready;
  for (let i = 0; i < 300 && !context.isDisposed && !context.isTerminating; i++) {
    const kernel = context.session?.kernel;
    if (kernel?.connectionStatus === 'connected') {
      return kernel;
    }
    if (i % 20 === 19) {        // the server may know nothing of the kernel that the page remembers
      await context.sessionManager.refreshRunning().catch(() => {});
      if (!context.session?.kernel) {
        await context.changeKernel({ name: context.kernelPreference.name ?? 'python3' }).catch(() => {});
      }
    }
    await pause(0.05);
  }
  return null;
}

/* JupyterLab drops a run, or asks which kernel to take, in the second between the page and its kernel. And a check needs what
 * the setup cells import: in a new kernel they run before the first cell that is asked for. */
function hold({ NotebookActions, Notification }, tracker) {
  const prepared = new WeakSet();         // kernels, until they restart
  const followed = new WeakSet();

  async function prepare(context) {
    const panel = tracker.find(one => one.sessionContext === context);
    const kernel = panel && await connected(context);
    if (panel && !kernel) {
      Notification.error('There is no kernel to run this cell. Is the command that started the book (`make lab`) still running?');
    }
    if (!kernel || !panel.context.path.startsWith('work/')) {
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

export function activate(book) {
  const { app, tracker, lab, command } = book;
  hold(lab, tracker);

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

  lab.NotebookActions.executed.connect(async (_, { notebook, cell, success }) => {
    if (is('check', cell)) {
      const passed = success && record(cell)?.passed && !await book.isStale(notebook, cell);
      note(cell, 'd2l-next', ...(passed ? next(notebook, cell) : []));
    }
  });

  async function show(notebook, cell) {
    notebook.activeCellIndex = notebook.widgets.indexOf(cell);
    await notebook.scrollToItem(notebook.activeCellIndex, 'smart');
  }

  async function check() {
    const panel = tracker.currentWidget, notebook = panel.content;
    const widgets = notebook.widgets;
    let at = notebook.activeCellIndex;
    // the exercise in which the cursor stands: that of the last task above, or of the cell itself
    while (at > 0 && !['task', 'answer', 'check', 'hints', 'written'].some(kind => is(kind, widgets[at]))) {
      at--;
    }
    const [answer, tested] = ['answer', 'check'].map(kind => beside(notebook, kind, widgets[at]));
    if (!key(widgets[at]) || !(answer || tested)) {
      lab.Notification.info('There is no check here: put the cursor into an exercise.', { autoClose: 4000 });
      return;
    }
    const ran = !answer || await lab.NotebookActions.runCells(notebook, [answer], panel.sessionContext);
    if (ran && tested) {        // where the answer ended with an error, that is what to read
      await lab.NotebookActions.runCells(notebook, [tested], panel.sessionContext);
    }
    await show(notebook, ran && tested ? tested : answer);
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
