/* A JupyterLab extension in plain JavaScript: the module federation container that a build would make of it is
 * short enough to write, so the book needs neither Node.js nor a build.
 *
 * Cells tagged "answer" get the class d2l-answer, which custom.css draws; a double click on a written answer
 * puts the cursor into its text (JupyterLab alone stays in command mode, where letters are shortcuts). */
(() => {
  let scope;

  async function shared(name) {
    const [version] = Object.values(scope[name]);
    return (await version.get())();
  }

  function open(notebook, cell) {
    const untouched = cell.model.sharedModel.source.startsWith('*Double click here');
    notebook.activeCellIndex = notebook.widgets.indexOf(cell);
    cell.rendered = false;
    notebook.mode = 'edit';
    cell.editor.focus();
    if (untouched) {                    // so that the first letter replaces the line that asks for it
      const last = cell.editor.lineCount - 1;
      const end = { line: last, column: cell.editor.getLine(last).length };
      cell.editor.setSelection({ start: { line: 0, column: 0 }, end });
    }
  }

  function mark(notebook) {
    for (const cell of notebook.widgets) {
      const answer = (cell.model.getMetadata('tags') ?? []).includes('answer');
      cell.toggleClass('d2l-answer', answer);
      if (answer && cell.model.type === 'markdown' && !cell.node.dataset.written) {
        cell.node.dataset.written = 'true';
        cell.node.addEventListener('dblclick', () => cell.rendered === false && notebook.mode === 'edit' || open(notebook, cell));
      }
    }
  }

  function follow(panel) {
    const notebook = panel.content;
    const again = () => requestAnimationFrame(() => panel.isDisposed || mark(notebook));
    panel.context.ready.then(() => {
      notebook.model.cells.changed.connect(again);
      again();
    });
  }

  async function extension() {
    const { INotebookTracker } = await shared('@jupyterlab/notebook');
    return {
      id: 'exercise-book:answers',
      autoStart: true,
      requires: [INotebookTracker],
      activate: (app, tracker) => {
        tracker.forEach(follow);
        tracker.widgetAdded.connect((_, panel) => follow(panel));
      }
    };
  }

  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB['exercise-book'] = {
    init: shareScope => { scope = shareScope; },
    get: async () => {
      const plugin = await extension();
      return () => ({ __esModule: true, default: plugin });
    }
  };
})();
