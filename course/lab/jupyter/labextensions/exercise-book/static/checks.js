/* Long checks show their first lines, and a button for the others: a page is read for its text, and a check is run more often than
 * it is read. What is folded is all there: it runs, is searched, and follows the cursor. */
import { follow, is, source } from './cells.js';

const FEW = 12;         // lines that are shown as they are

function fold(cell, lines) {
  const button = document.createElement('button');
  const show = open => {
    cell.toggleClass('d2l-folded', !open);
    button.textContent = open ? 'Show less' : `Show all ${lines} lines`;
    button.setAttribute('aria-expanded', String(open));
  };
  button.className = 'd2l-unfold';
  button.addEventListener('click', event => {
    event.stopPropagation();
    show(cell.hasClass('d2l-folded'));
    cell.node.scrollIntoView({ block: 'nearest' });
  });
  show(false);
  cell.ready.then(() => cell.inputArea?.node.appendChild(button));      // drawn when it is first scrolled to
}

export function activate({ tracker }) {
  const seen = new WeakSet();
  follow(tracker, panel => panel.content.widgets.forEach(cell => {
    const lines = source(cell).split('\n').length;
    if (is('check', cell) && cell.model.type === 'code' && lines > FEW && !seen.has(cell)) {
      seen.add(cell);
      fold(cell, lines);
    }
  }));
}
