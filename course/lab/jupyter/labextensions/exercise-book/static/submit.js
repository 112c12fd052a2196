/* Before a chapter is submitted: what is not answered, or fails its visible check. nbgrader's Submit asks nothing. */
import { h, openPage } from './home.js';

export function activate(book) {
  const { app, lab, ask, command } = book;

  async function left(chapter) {
    await app.commands.execute('docmanager:save-all');
    const { chapters } = await ask('progress');
    const chosen = chapters.filter(c => !chapter || c.folder === chapter);
    return {
      known: chosen.length > 0,
      pages: chosen.flatMap(c => c.pages).map(page => ({
        ...page, left: page.exercises.filter(e => !['right', 'written'].includes(e.state)) }))
    };
  }

  function list(pages, close) {
    const jump = (page, exercise) => event => {
      event.preventDefault();
      close();
      openPage(book, page.path, exercise.number);
    };
    return h('div', { class: 'd2l-left' }, ...pages.filter(page => page.left.length || page.trouble).flatMap(page => [
      h('h3', {}, page.title), page.trouble ? h('p', { class: 'd2l-trouble' }, page.trouble) : '',
      h('ul', {}, ...page.left.map(e => h('li', {},
        h('a', { href: '#', onclick: jump(page, e) }, e.number), ` ${e.title}: `, h('b', {}, e.reason))))]));
  }

  async function ask_about(title, pages, note, buttons) {
    const count = pages.reduce((sum, page) => sum + page.left.length, 0);
    const total = pages.reduce((sum, page) => sum + page.exercises.length, 0);
    const body = new lab.Widget({ node: h('div', {}) });
    const dialog = new lab.Dialog({ title, body, buttons });
    const words = count ? `${count} of ${total} exercises are not done.`
      : `All ${total} exercises are answered, and pass what can be checked here.`;
    body.node.append(h('p', {}, `${words} ${note}`), list(pages, () => dialog.reject()));
    const result = await dialog.launch();
    return result.button.accept;
  }

  command('book:todo', {
    label: 'What Is Left Before I Submit?',
    execute: async args => {
      const { pages } = await left(args.chapter);
      const begun = pages.filter(page => args.chapter || page.exercises.some(e => e.state !== 'open') || page.trouble);
      const untouched = pages.length - begun.length;
      const note = untouched ? `${untouched} sections that you have not begun are not listed.` : '';
      await ask_about('What is left', begun, `${note} Hidden tests run at grading.`, [lab.Dialog.okButton({ label: 'Close' })]);
    }
  });

  let allowed = null;
  document.addEventListener('click', async event => {
    const button = event.target.closest?.('#fetched_assignments_list .item_status button');
    if (!button || button.innerText.trim() !== 'Submit' || button === allowed) {
      return;
    }
    event.stopImmediatePropagation();
    event.preventDefault();
    const chapter = button.closest('.list_item').querySelector('.item_name').innerText.trim();
    let go = true;
    try {
      const { known, pages } = await left(chapter);
      if (known && pages.some(page => page.left.length || page.trouble)) {
        go = await ask_about(`Submit ${chapter}?`, pages, 'You can submit again later: the last time counts.',
          [lab.Dialog.cancelButton({ label: 'Go back' }), lab.Dialog.okButton({ label: 'Submit all the same' })]);
      }
    } catch (error) {
      lab.Notification.warning(`What is left could not be listed. ${error.message}`);
    }
    if (go) {
      allowed = button;
      button.click();
      allowed = null;
    }
  }, true);
}
