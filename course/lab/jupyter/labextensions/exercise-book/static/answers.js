/* Cells tagged "answer" get the class d2l-answer, which custom.css draws, and a button that puts their starter back.
 * A click on a written answer puts the cursor into its text (JupyterLab alone stays in command mode, where letters
 * are shortcuts). */

import { follow, gradeId } from './cells.js';

const isAnswer = cell => (cell?.model.getMetadata('tags') ?? []).includes('answer');

function open(notebook, cell) {
  notebook.activeCellIndex = notebook.widgets.indexOf(cell);
  cell.rendered = false;
  notebook.mode = 'edit';
  cell.editor.focus();
  selectPlaceholder(cell);
}

/* So that the first letter replaces the line that asks for it. */
function selectPlaceholder(cell) {
  // (as in earlier editions, too)
  if (/^\*(Answer [\w.]+: write it here|Double click here)/.test(cell.model.sharedModel.source)) {
    const last = cell.editor.lineCount - 1;
    const end = { line: last, column: cell.editor.getLine(last).length };
    cell.editor.setSelection({ start: { line: 0, column: 0 }, end });
  }
}

function listen(notebook, cell) {
  cell.node.addEventListener('click', event => {
    const reading = event.target.closest('a') || !window.getSelection().isCollapsed;
    if (event.target.closest('.jp-MarkdownOutput') && !reading) {
      open(notebook, cell);
    }
  });
  // the second click of a double click falls into the editor
  cell.node.addEventListener('dblclick', () => cell.rendered ? open(notebook, cell) : selectPlaceholder(cell));
}

export function activate({ app, tracker, lab, ask, command }) {
  async function reset(panel, cell) {
    const path = panel.context.path;
    try {
      const source = cell.model.sharedModel.source;
      const { starter, number, kept } = await ask('reset', { path, cell: gradeId(cell), source });
      if (source === starter) {
        lab.Notification.info(`${number} is as it was handed out.`, { autoClose: 4000 });
        return;
      }
      cell.model.sharedModel.setSource(starter);
      // JupyterLab shows 140 characters
      lab.Notification.success(`${number} starts over. Yours is kept in ${kept}`, { autoClose: 15000 });
    } catch (error) {
      lab.Notification.error(`The answer was left as it is. ${error.message}`);
    }
  }

  function mark(panel) {
    for (const cell of panel.content.widgets) {
      cell.toggleClass('d2l-answer', isAnswer(cell));
      if (!isAnswer(cell) || cell.node.dataset.answer) {
        continue;
      }
      cell.node.dataset.answer = 'true';
      if (cell.model.type === 'markdown') {
        listen(panel.content, cell);
      }
      const button = document.createElement('button');
      button.className = 'd2l-reset';
      button.textContent = 'Start over';
      button.title = 'Put the starter back. What you have written is kept in work/backups/.';
      button.addEventListener('click', event => {
        event.stopPropagation();
        reset(panel, cell);
      });
      cell.ready.then(() => cell.inputArea?.node.appendChild(button));    // drawn when it is first scrolled to
    }
  }

  follow(tracker, mark);
  command('book:reset', {
    label: 'Start This Answer Over',
    caption: 'Put the starter of the selected answer cell back; what was there is kept in work/backups/',
    isEnabled: () => isAnswer(tracker.activeCell),
    execute: () => reset(tracker.currentWidget, tracker.activeCell)
  });
  tracker.activeCellChanged.connect(() => app.commands.notifyCommandChanged('book:reset'));
}
