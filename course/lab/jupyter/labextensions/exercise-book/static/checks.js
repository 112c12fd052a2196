/* Long checks show their first lines, and a button for the others: a page is read for its text, and a check is run more often than
 * it is read. What is folded is all there: it runs, is searched, and follows the cursor. */
import { is, number, source } from './cells.js';

const FEW = 12;         // lines that are shown as they are

function fold(cell) {
  const lines = source(cell).split('\n').length;
  const button = document.createElement('button');
  const show = open => {
    cell.toggleClass('d2l-folded', !open);
    button.textContent = open ? 'Show less' : `Show all ${lines} lines`;
    button.setAttribute('aria-expanded', String(open));
  };
  button.className = 'd2l-unfold';
  button.setAttribute('aria-label', `The text of check ${number(cell)}, ${lines} lines`);
  button.addEventListener('click', event => {
    event.stopPropagation();
    show(cell.hasClass('d2l-folded'));
    cell.node.scrollIntoView({ block: 'nearest' });
  });
  show(false);
  cell.ready.then(() => cell.inputArea?.node.appendChild(button));      // drawn when it is first scrolled to
}

export function activate({ tracker }) {
  function follow(panel) {
    const mark = () => panel.isDisposed || panel.content.widgets.forEach(cell => {
      if (is('check', cell) && cell.model.type === 'code' && !cell.node.dataset.check) {
        cell.node.dataset.check = 'true';
        if (source(cell).split('\n').length > FEW) {
          fold(cell);
        }
      }
    });
    panel.context.ready.then(() => {
      panel.content.model.cells.changed.connect(() => requestAnimationFrame(mark));
      requestAnimationFrame(mark);
    });
  }

  tracker.forEach(follow);
  tracker.widgetAdded.connect((_, panel) => follow(panel));
}
