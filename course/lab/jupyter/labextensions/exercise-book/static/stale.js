/* Marks an answer that was edited since it ran, and its check where the card is about another text than the answer's. */
import { beside, follow, is, note, number, record, source } from './cells.js';

const NOTHING = 'e3b0c44298fc1c14';     // the digest of no text: no answer had run when the check did
const ran = new WeakMap();              // an answer's model -> the text of it that ran in this window, and whether it ended well

/* As d2l_utils.check.saved.digest; null where the browser has no cryptography (plain http, unless of this machine). */
async function digest(text) {
  if (!window.crypto?.subtle) {
    return null;
  }
  const bytes = await window.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text.trim()));
  return [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, '0')).join('').slice(0, 16);
}

function words(answer, last, text) {
  const name = `The answer ${number(answer)}`;
  return last === undefined ? `${name} was edited since this check ran: run it, then this check.`
    : last.text !== text ? `${name} was edited since it ran: run it, then this check.`
      : last.success ? `${name} was run again since: run this check again.`
        : `${name} ended with an error: mend it, then run it and this check.`;
}

/* Draws the marks of an answer and of its check. Gives whether the check's card is about another text. */
async function mark(notebook, answer) {
  const text = source(answer), last = ran.get(answer.model);
  const check = beside(notebook, 'check', answer);
  const found = check && record(check);
  const now = found ? await digest(text) : null;
  if (notebook.isDisposed || source(answer) !== text) {       // edited meanwhile, which marks anew
    return true;
  }
  const edited = last !== undefined && last.text !== text;
  const other = edited || !!found && now !== null && found.answer !== NOTHING && found.answer !== now;
  answer.toggleClass('d2l-stale', last === undefined ? other : edited);
  if (check) {
    const says = other && found;
    check.toggleClass('d2l-stale', !!says);
    note(check, 'd2l-edited', ...(says ? [words(answer, last, text)] : []));
    if (says) {
      note(check, 'd2l-next');
    }
  }
  return other;
}

export function activate(book) {
  const { tracker, lab } = book;

  /* For `run.js`: after a check has run. */
  book.isStale = async (notebook, check) => {
    const answer = beside(notebook, 'answer', check);
    return !!answer && mark(notebook, answer);
  };

  lab.NotebookActions.executed.connect((_, { notebook, cell, success }) => {
    if (is('answer', cell)) {
      ran.set(cell.model, { text: source(cell), success });
      mark(notebook, cell);
    }
  });

  const watched = new WeakSet();
  follow(tracker, panel => panel.content.widgets.forEach(cell => {
    if (!is('answer', cell) || cell.model.type !== 'code' || watched.has(cell.model)) {
      return;
    }
    const again = () => panel.isDisposed || mark(panel.content, cell);
    watched.add(cell.model);
    cell.model.contentChanged.connect(again);
    beside(panel.content, 'check', cell)?.model.outputs?.changed.connect(again);
    again();
  }));
}
