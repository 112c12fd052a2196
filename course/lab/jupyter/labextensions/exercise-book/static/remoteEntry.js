/* A JupyterLab extension in plain JavaScript: the module federation container that a build would make of it is
 * short enough to write, so the book needs neither Node.js nor a build. The modules beside this file are its parts:
 *
 * answers.js   marks answer cells, opens written ones for typing, puts starters back
 * home.js      the home page: chapters and sections with the learner's progress
 * grade.js     grades the open notebook with the hidden tests, where this copy of the book has them
 * run.js       holds runs until the kernel is there, runs setup cells, an answer with its check
 * checks.js    folds long checks to their first lines
 * stale.js     marks an answer that was edited since it ran, and a check that has seen another text
 * pictures.js  gives pictures their alternative text
 * wide.js      lets the keyboard scroll what is wider than the page
 * submit.js    says what is left before a chapter is submitted
 * saves.js     saves a notebook once at a time
 * cells.js     the cells of an exercise, for all of them */
(() => {
  const folder = new URL('.', document.currentScript.src);
  let scope;

  async function shared(name) {
    const [version] = Object.values(scope[name]);
    return (await version.get())();
  }

  async function extension() {
    const files = ['saves.js', 'home.js', 'submit.js', 'grade.js', 'answers.js', 'checks.js', 'stale.js', 'run.js', 'pictures.js',
                   'wide.js'];
    const parts = await Promise.all(files.map(name => import(new URL(name, folder))));
    const names = ['application', 'apputils', 'coreutils', 'mainmenu', 'notebook', 'rendermime', 'services', 'ui-components'];
    const lab = Object.assign({}, ...(await Promise.all(names.map(name => shared(`@jupyterlab/${name}`)))),
                              await shared('@lumino/widgets'));
    return {
      id: 'exercise-book:book',
      autoStart: true,
      requires: [lab.INotebookTracker, lab.IRenderMimeRegistry],
      optional: [lab.ICommandPalette, lab.IMainMenu],
      activate: (app, tracker, registry, palette, mainMenu) => {
        const book = { app, tracker, registry, lab, ask: ask(app.serviceManager.serverSettings, lab) };
        book.commands = [];
        book.command = (id, options) => {
          app.commands.addCommand(id, options);
          book.commands.push(id);
          palette?.addItem({ command: id, category: 'Book' });
        };
        for (const part of parts) {
          part.activate(book);
        }
        if (mainMenu) {
          const menu = new lab.Menu({ commands: app.commands });
          menu.title.label = 'Book';
          menu.id = 'exercise-book-menu';
          book.commands.forEach(command => menu.addItem({ command }));
          mainMenu.addMenu(menu, true, { rank: 5 });
        }
      }
    };
  }

  /* Questions to course/lab/server.py: what it answers, or an Error with its words. */
  function ask(settings, { ServerConnection, URLExt }) {
    return async (name, data) => {
      const url = URLExt.join(settings.baseUrl, 'exercise-book', name);
      const init = data === undefined ? {} : { method: 'POST', body: JSON.stringify(data) };
      const reply = await ServerConnection.makeRequest(url, init, settings);
      const answer = await reply.json();
      if (!reply.ok || answer.error) {
        throw new Error(answer.error ?? answer.reason ?? answer.message ?? reply.statusText);
      }
      return answer;
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
