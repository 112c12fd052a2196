/* What is wider than the page and scrolls by itself (a formula, a table, a drawing, text with a long formula) is reached with
 * Tab and scrolled with the arrows; JupyterLab would take Left and Right for its headings. */
const BOXES = "mjx-container[display='true'], .jp-MarkdownOutput, .jp-OutputArea-output";
const STEP = 40;

/* A box that scrolls has a place in the order of Tab, and words for a screen reader; one that fits has neither. */
function mark(box) {
  const wide = box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX);
  if (wide === box.classList.contains('d2l-wide')) {
    return;
  }
  box.classList.toggle('d2l-wide', wide);
  const kind = box.matches('mjx-container') ? 'A formula' : box.matches('.jp-MarkdownOutput') ? 'Text'
    : box.querySelector('table') ? 'A table' : box.querySelector('img, svg') ? 'A picture' : 'Output';
  const words = { tabindex: '0', role: 'group', 'aria-label': `${kind}, wider than the page` };
  for (const [name, value] of Object.entries(words)) {
    if (wide) {
      box.setAttribute(name, value);
    } else {
      box.removeAttribute(name);
    }
  }
}

function arrows(event) {
  const box = event.target;
  const to = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
  if (to && !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) && box.classList?.contains('d2l-wide')) {
    event.preventDefault();
    event.stopImmediatePropagation();
    box.scrollBy({ left: to });
  }
}

export function activate({ tracker }) {
  window.addEventListener('keydown', arrows, true);       // before JupyterLab, which listens on the document
  tracker.widgetAdded.connect((_, panel) => {
    const sizes = new ResizeObserver(entries => entries.forEach(({ target }) => mark(target.closest(BOXES) ?? target)));
    const seen = new WeakSet();
    let soon;
    const look = () => {
      soon = undefined;
      for (const box of panel.content.node.querySelectorAll(BOXES)) {
        if (!seen.has(box)) {
          seen.add(box);
          // also what it holds: a picture gets its width, a formula its letters, after it is there
          [box, ...box.querySelectorAll(':scope > :is(svg, img, mjx-math)')].forEach(one => sizes.observe(one));
        } else {
          mark(box);      // what it holds may have come after it
        }
      }
    };
    const changes = new MutationObserver(all => {
      if (!all.every(({ target }) => target.closest('.cm-editor'))) {       // typing makes nothing wide
        soon ??= setTimeout(look, 500);
      }
    });
    changes.observe(panel.content.node, { childList: true, subtree: true });
    panel.disposed.connect(() => {
      clearTimeout(soon);
      changes.disconnect();
      sizes.disconnect();
    });
  });
}
