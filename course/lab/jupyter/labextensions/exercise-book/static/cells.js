/* The cells of an exercise, by nbgrader's names for them: task-2-1-3a, answer-2-1-3a, check-2-1-3a, hints-..., written-... */
import { h } from './home.js';

export const gradeId = cell => cell?.model.getMetadata('nbgrader')?.grade_id ?? '';
export const key = cell => gradeId(cell).replace(/^[a-z]+-/, '');
export const number = cell => key(cell).replaceAll('-', '.');
export const is = (kind, cell) => gradeId(cell).startsWith(`${kind}-`);
export const source = cell => cell.model.sharedModel.source;
export const beside = (notebook, kind, cell) => notebook.widgets.find(other => gradeId(other) === `${kind}-${key(cell)}`);

/* What a check's card left in its output, for the home page and for us: {number, passed, answer: digest of its text}. */
export const record = check => (check.model.outputs?.toJSON() ?? []).map(one => one.metadata?.d2l_check).find(Boolean);

/* A line below a cell, in place of the last one of this name; none without children. */
export function note(cell, name, ...children) {
  return cell.ready.then(() => {          // a cell is drawn when it is first scrolled to
    cell.node.querySelector(`:scope > .${name}`)?.remove();
    if (children.length) {
      cell.node.append(h('div', { class: name, role: 'status' }, ...children));
    }
  });
}

/* Calls `look` with each page's panel when its cells are there, and whenever cells come or go. */
export function follow(tracker, look) {
  const watch = panel => panel.context.ready.then(() => {
    const again = () => requestAnimationFrame(() => panel.isDisposed || look(panel));
    panel.content.model.cells.changed.connect(again);
    again();
  });
  tracker.forEach(watch);
  tracker.widgetAdded.connect((_, panel) => watch(panel));
}
