// SPDX-License-Identifier: Apache-2.0
// The page: results, tabs, keys and colours.
import {fresh, h} from './dom.js';
import {GraphView, printGraphs, screenGraphs, specificationPicture} from './graph.js';
import {ModelPanel} from './model.js';
import {PlayPanel} from './play.js';
import {refinementPanel} from './refinement.js';
import {SourcePane} from './source.js';
import {gameOf, specificationOf} from './spec.js';
import {performed, seenPlace, StepsPanel} from './steps.js';
import {assumptions, facts, sentence, summaryPanel} from './summary.js';
import {TreePanel} from './tree.js';
import {printLists, screenLists} from './virtual.js';

const mostDrawn = 200;

class Tabs {
  constructor(tabs) {
    this.tabs = tabs;  // name, make() -> element or object with one.
    this.list = h('div', {role: 'tablist', 'aria-label': 'Views', class: 'tabs'});
    this.body = h('div', {class: 'tabbody'});
    this.element = h('section', {class: 'panels', 'aria-label': 'Result'}, this.list, this.body);
    tabs.forEach((tab, i) => {
      const id = fresh('tab');
      tab.button = h('button', {type: 'button', role: 'tab', id, 'aria-selected': 'false', tabindex: '-1',
        'aria-controls': `${id}-panel`, onclick: () => this.open(i), onkeydown: (event) => this.onKey(event, i)}, tab.name);
      tab.panel = h('div', {role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': id, class: 'tabpanel', hidden: true},
        h('h2', {class: 'tabname'}, tab.name));
      this.list.append(tab.button);
      this.body.append(tab.panel);
    });
  }

  fill(tab) {
    if (!tab.content) {
      const made = tab.make();
      tab.content = made instanceof Element ? {element: made} : made;
      tab.panel.append(tab.content.element);
    }
    tab.content.attached?.();
  }

  open(i) {
    if (i < 0 || i >= this.tabs.length) return;
    this.tabs.forEach((tab, k) => {
      tab.button.setAttribute('aria-selected', String(k === i));
      tab.button.tabIndex = k === i ? 0 : -1;
      tab.panel.hidden = k !== i;
    });
    this.now = i;
    this.fill(this.tabs[i]);
  }

  get current() {
    return this.tabs[this.now];
  }

  // Everything, for paper.
  openAll() {
    for (const tab of this.tabs) {
      tab.panel.hidden = false;
      this.fill(tab);
      tab.content.openAll?.();
    }
  }

  onKey(event, i) {
    const moves = {ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: this.tabs.length - 1};
    if (!(event.key in moves)) return;
    event.preventDefault();
    const next = (moves[event.key] + this.tabs.length) % this.tabs.length;
    this.open(next);
    this.tabs[next].button.focus();
  }
}

class SpecificationPanel {
  // `states` says which ones are to be lit.
  constructor(result, spec, states) {
    this.spec = spec;
    this.states = states;
    this.graph = spec && spec.count <= mostDrawn ? new GraphView({label: 'Specification'}) : null;
    const {states: count, alphabet} = result.specification;
    this.element = h('div', {class: 'specpanel'},
      h('p', {class: 'note'}, `${count} states; constrains ${alphabet.length > 0 ? alphabet.join(', ') : 'nothing'}.`),
      this.graph?.element ?? h('p', {}, 'It is too large to be drawn.'));
  }

  attached() {
    if (this.graph && !this.graph.picture) this.graph.show(specificationPicture(this.spec));
    this.graph?.light(this.states());
  }
}

class Page {
  constructor(data) {
    this.data = data;
    this.main = h('main', {id: 'main'});
    this.pane = new SourcePane(data.sources);
    document.title = `Agon: ${data.results.map((r) => `${r.target} ${r.verdict}`).slice(0, 3).join(', ')}`;
    const app = document.getElementById('app');
    app.replaceChildren(h('a', {class: 'skip', href: '#main'}, 'Skip to the result'), this.header(),
      data.results.length > 1 ? this.switcher() : '', this.main, this.help());
    app.classList.toggle('many', data.results.length > 1);
    if (data.results.length === 0) this.main.append(h('p', {}, 'This run has no results.'));
    else this.show(this.worst());
    document.addEventListener('keydown', (event) => this.onKey(event));
    window.addEventListener('beforeprint', () => this.print());
    window.addEventListener('afterprint', () => this.screen());
  }

  worst() {
    const order = ['violated', 'unknown', 'holds'];
    const {results} = this.data;
    for (const verdict of order) {
      const i = results.findIndex((result) => result.verdict === verdict);
      if (i >= 0) return i;
    }
    return 0;
  }

  header() {
    const theme = h('button', {type: 'button', id: 'theme', onclick: () => this.toggleTheme()}, 'Theme');
    return h('header', {class: 'top'}, h('span', {class: 'brand'}, 'Agon'),
      h('span', {class: 'run'}, `${this.data.command} · ${this.data.agon}`), h('span', {class: 'spacer'}),
      h('button', {type: 'button', id: 'help', 'aria-label': 'Keys', onclick: () => this.dialog.showModal()}, '?'), theme);
  }

  toggleTheme() {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    remember('agon-theme', root.dataset.theme);
  }

  help() {
    const rows = [['j / k', 'next, previous step'], ['n / p', 'next, previous action'], ['Home / End', 'first, last step'],
      ['1 … 9', 'views; in Play, responses'], ['[ / ]', 'previous, next result'], ['d', 'dark or light'], ['?', 'this help']];
    this.dialog = h('dialog', {'aria-label': 'Keys'}, h('h2', {}, 'Keys'),
      h('table', {}, h('tbody', {}, rows.map(([key, what]) => h('tr', {}, h('th', {scope: 'row'}, h('kbd', {}, key)), h('td', {}, what))))),
      h('form', {method: 'dialog'}, h('button', {}, 'Close')));
    return this.dialog;
  }

  switcher() {
    this.items = this.data.results.map((result, i) => h('button', {type: 'button', class: `result ${result.verdict}`,
      onclick: () => this.show(i)}, h('span', {class: 'badge'}, result.verdict), h('b', {}, result.target), ' ',
      h('span', {class: 'spec'}, result.spec ?? '')));
    const count = (verdict) => this.data.results.filter((result) => result.verdict === verdict).length;
    const tally = ['violated', 'unknown', 'holds'].filter((v) => count(v) > 0).map((v) => `${count(v)} ${v}`).join(', ');
    return h('nav', {class: 'results', 'aria-label': 'Results'}, h('h2', {}, tally), this.items);
  }

  show(i) {
    this.now = i;
    const result = this.data.results[i];
    this.items?.forEach((item, k) => item.setAttribute('aria-current', String(k === i)));
    const spec = specificationOf(result);
    const [relation, against] = sentence(result);
    this.steps = null;
    this.tabs = new Tabs(this.views(result, spec));
    const verdict = h('section', {class: `verdict ${result.verdict}`, 'aria-label': 'Verdict'},
      h('h1', {}, h('span', {class: 'badge'}, result.verdict), ' ', h('b', {}, result.target), ` ${relation} `, h('b', {}, against ?? '')),
      result.reason ? h('p', {class: 'reason'}, result.reason) : null,
      h('p', {class: 'facts'}, facts(result)), assumptions(this.data.assumptions, this.pane));
    this.work = h('div', {class: `work ${this.pane.files.size === 0 ? 'nosource' : ''}`},
      this.pane.element, this.splitter(), this.tabs.element);
    this.main.replaceChildren(verdict, this.work);
    this.pane.setPath(result.counterexample?.steps ?? []);
    this.tabs.open(0);
  }

  views(result, spec) {
    const game = gameOf(result);
    const visit = ({actions, challenge}) => this.followActions(result, actions, challenge);
    const views = [];
    if (result.counterexample) {
      views.push({name: result.verdict === 'holds' ? 'Example' : 'Counterexample', make: () => (this.steps = new StepsPanel(result, this.pane, spec))});
    }
    views.push({name: 'Summary', make: () => summaryPanel(result)});
    if (game && result.verdict === 'violated') {
      views.push({name: 'Strategy', make: () => new TreePanel(game, spec, visit)});
      views.push({name: 'Play', make: () => new PlayPanel(game, spec, visit)});
    }
    if (result.specification) views.push({name: 'Specification', make: () => new SpecificationPanel(result, spec,
      () => this.steps?.specificationStates() ?? [spec.initial])});
    if (result.history) views.push({name: 'Refinement', make: () => refinementPanel(result.history, this.pane)});
    if (result.models) views.push({name: 'Model', make: () => new ModelPanel(result.models, this.pane)});
    return views;
  }

  // Shows in the source where the next action of the game is performed, if the
  // execution that is known performs it.
  followActions(result, actions, challenge) {
    const {steps, actions: all = []} = result.counterexample;
    if (!steps || all[actions] !== challenge) return;
    const at = performed(steps, all).indexOf(actions + 1);
    if (at < 0) return;
    const {file, line} = seenPlace(steps, at);
    this.pane.show(file, line, `→ ${steps[at].action}`);
  }

  splitter() {
    const bar = h('div', {class: 'splitter', role: 'separator', tabindex: '0', 'aria-orientation': 'vertical',
      'aria-label': 'Width of the source', 'aria-valuemin': 15, 'aria-valuemax': 85, 'aria-valuenow': 46});
    const set = (percent) => {
      const value = Math.min(85, Math.max(15, percent));
      bar.setAttribute('aria-valuenow', Math.round(value));
      this.work.style.setProperty('--left', `${value}%`);
    };
    bar.addEventListener('keydown', (event) => {
      const step = {ArrowLeft: -4, ArrowRight: 4}[event.key];
      if (step) set(Number(bar.getAttribute('aria-valuenow')) + step);
    });
    bar.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const move = (e) => {
        const box = this.work.getBoundingClientRect();
        set((100 * (e.clientX - box.left)) / box.width);
      };
      const stop = () => {
        window.removeEventListener('pointermove', move);
        window.removeEventListener('pointerup', stop);
      };
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', stop);
    });
    return bar;
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const {steps} = this;
    const step = (move) => {
      if (!steps) return;
      if (this.tabs.now !== 0) this.tabs.open(0);
      move();
    };
    const isElsewhere = event.target.closest?.('[role=tree], [role=tab], [role=listbox].states, .code');
    const act = {
      j: () => step(() => steps.go(steps.now + 1)),
      k: () => step(() => steps.go(steps.now - 1)),
      n: () => step(() => steps.goAction(1)),
      p: () => step(() => steps.goAction(-1)),
      Home: () => !isElsewhere && step(() => steps.go(0)),
      End: () => !isElsewhere && step(() => steps.go(steps.steps.length - 1)),
      d: () => this.toggleTheme(),
      '?': () => this.dialog.showModal(),
      '[': () => this.data.results.length > 1 && this.show(Math.max(0, this.now - 1)),
      ']': () => this.data.results.length > 1 && this.show(Math.min(this.data.results.length - 1, this.now + 1)),
    };
    if (/^[1-9]$/.test(event.key)) {
      if (this.tabs?.current.name === 'Play') this.tabs.current.content.onDigit(Number(event.key));
      else this.tabs?.open(Number(event.key) - 1);
    } else if (event.key in act && this.tabs) {
      if (event.key.length > 1 && isElsewhere) return;
      event.preventDefault();
      act[event.key]();
    }
  }

  print() {
    if (!this.tabs) return;
    this.opened = this.tabs.now;
    this.tabs.openAll();
    this.folded = [...this.folded ?? [], ...document.querySelectorAll('details:not([open])')];
    for (const details of this.folded) {
      details.open = true;
      details.fill?.();
    }
    printLists();
    printGraphs();
  }

  screen() {
    if (!this.tabs) return;
    screenLists();
    screenGraphs();
    for (const details of this.folded ?? []) details.open = false;
    this.folded = [];
    this.tabs.open(this.opened ?? 0);
  }
}

// Some browsers refuse storage to files.
function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice holds for this page only.
  }
}

function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

const theme = remembered('agon-theme');
if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
const page = new Page(JSON.parse(document.getElementById('agon-data').textContent));
matchMedia('print').addEventListener('change', (event) => (event.matches ? page.print() : page.screen()));
