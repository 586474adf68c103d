// SPDX-License-Identifier: Apache-2.0
// The abstract model: drawn if it is small, by places if it is not, and state
// by state with its neighbours.
import {base, download, h, plural, shortened} from './dom.js';
import {GraphView} from './graph.js';
import {placeLink} from './source.js';
import {VirtualList} from './virtual.js';

const mostDrawn = 200;
const mostNeighbours = 40;

export class Model {
  constructor(data) {
    this.data = data;
    this.count = data.cut_of.length;
    this.unexplored = new Set(data.unexplored);
    this.out = Array.from({length: this.count}, () => []);
    this.into = Array.from({length: this.count}, () => []);
    for (let i = 0; i < data.transitions.length; i += 3) {
      const [from, label, to] = data.transitions.slice(i, i + 3);
      this.out[from].push([label, to]);
      this.into[to].push([label, from]);
    }
    this.byCut = data.cuts.map(() => []);
    data.cut_of.forEach((cut, state) => this.byCut[cut].push(state));
  }

  place(cut) {
    const [file, line] = this.data.cuts[cut];
    return line ? `${base(file)}:${line}` : cut === this.data.cut_of[0] ? 'start' : `cut ${cut}`;
  }

  literals(state) {
    const cut = this.data.cuts[this.data.cut_of[state]];
    const values = this.data.values[state];
    return cut[2].slice(0, values.length).map((predicate, i) => this.data.predicates[predicate][values[i] === '1' ? 0 : 1]);
  }

  // Without what an equality implies: x != 2 says nothing beside x == 1.
  telling(state) {
    const literals = this.literals(state);
    const known = new Set(literals.map((text) => /^(.+) == -?\d+$/.exec(text)?.[1]).filter(Boolean));
    const isImplied = (text) => known.has(/^(.+) != -?\d+$/.exec(text)?.[1]);
    const isEquality = (text) => / == /.test(text);
    return [...literals.filter(isEquality), ...literals.filter((text) => !isEquality(text) && !isImplied(text))];
  }

  label(number) {
    return this.data.labels[number];
  }

  *transitions() {
    const {transitions} = this.data;
    for (let i = 0; i < transitions.length; i += 3) yield [transitions[i], this.label(transitions[i + 1]), transitions[i + 2]];
  }

  aut() {
    const lines = [`des (0, ${this.data.transitions.length / 3}, ${this.count})`];
    for (const [from, label, to] of this.transitions()) lines.push(`(${from}, "${label.replace(/["\n]/g, '\'')}", ${to})`);
    return `${lines.join('\n')}\n`;
  }

  dot() {
    const quoted = (text) => `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
    const lines = ['digraph model {', '  rankdir=LR;', '  node [shape=box, style=rounded];'];
    for (let i = 0; i < this.count; ++i) {
      lines.push(`  ${i} [label=${quoted([`${i}  ${this.place(this.data.cut_of[i])}`, ...this.literals(i)].join('\n'))}];`);
    }
    for (const [from, label, to] of this.transitions()) lines.push(`  ${from} -> ${to} [label=${quoted(label)}];`);
    lines.push('}');
    return `${lines.join('\n')}\n`;
  }

  node(state) {
    const literals = this.telling(state);
    const place = this.place(this.data.cut_of[state]);
    const lines = [`${state} · ${place}`, ...literals.slice(0, 3).map((text) => shortened(text, 26))];
    if (literals.length > 3) lines.push(`+ ${literals.length - 3}`);
    return {id: String(state), lines, title: `state ${state} at ${place}\n${this.literals(state).join('\n')}`,
      class: this.unexplored.has(state) ? 'unexplored' : ''};
  }

  whole() {
    const edges = [...this.transitions()].map(([from, label, to]) => ({from: String(from), label, to: String(to)}));
    return {nodes: this.data.cut_of.map((_, i) => this.node(i)), edges, initial: '0'};
  }

  // One node per place, if there are not too many of them either.
  collapsed() {
    if (this.data.cuts.length > mostDrawn) return null;
    const edges = new Map();
    for (const [from, label, to] of this.transitions()) {
      const [a, b] = [this.data.cut_of[from], this.data.cut_of[to]];
      edges.set(`${a} ${b} ${label}`, {from: `c${a}`, label, to: `c${b}`});
    }
    const nodes = this.byCut.map((states, cut) => ({id: `c${cut}`, lines: [this.place(cut), plural(states.length, 'state')],
      title: `${this.place(cut)}: ${plural(states.length, 'state')}`, class: 'group'}));
    return {nodes, edges: [...edges.values()], initial: `c${this.data.cut_of[0]}`};
  }

  around(state) {
    const shown = new Set([state]);
    for (const [, other] of [...this.out[state], ...this.into[state]]) if (shown.size < mostNeighbours) shown.add(other);
    const edges = [];
    for (const from of shown) {
      for (const [label, to] of this.out[from]) {
        if (shown.has(to)) edges.push({from: String(from), label: this.label(label), to: String(to)});
      }
    }
    return {nodes: [...shown].map((each) => this.node(each)), edges, initial: null};
  }
}

export class ModelPanel {
  constructor(models, pane) {
    this.models = models.map((data) => new Model(data));
    this.pane = pane;
    this.graph = new GraphView({label: 'Abstract model', onSelect: (id) => this.choose(id)});
    this.facts = h('p', {class: 'note'});
    this.about = h('div', {class: 'about', role: 'status', 'aria-live': 'polite'});
    this.list = new VirtualList({height: 24, render: (i) => this.row(i),
      attributes: {class: 'states', role: 'listbox', tabindex: '0', 'aria-label': 'States',
        onkeydown: (event) => this.onKey(event)}});
    this.collapse = h('button', {type: 'button', onclick: () => this.overview()}, 'Overview');
    const which = h('select', {'aria-label': 'Component', onchange: () => this.open(Number(which.value))},
      this.models.map(({data}, i) => h('option', {value: i}, data.component ?? `model ${i + 1}`)));
    this.element = h('div', {class: 'modelpanel'},
      h('div', {class: 'toolbar'}, this.models.length > 1 ? which : null, this.collapse, h('span', {class: 'spacer'}),
        h('button', {type: 'button', onclick: () => this.save('dot')}, 'Download .dot'),
        h('button', {type: 'button', onclick: () => this.save('aut')}, 'Download .aut')),
      this.facts, this.graph.element, h('div', {class: 'below'},
        h('section', {class: 'card'}, h('h3', {}, 'States'), this.list.element),
        h('section', {class: 'card'}, h('h3', {}, 'State'), this.about)));
  }

  attached() {
    if (!this.model) this.open(0);
    this.list.update();
  }

  open(i) {
    this.model = this.models[i];
    const {count, data} = this.model;
    const left = data.num_states - count;
    this.facts.textContent = `${plural(count, 'state')}, ${plural(data.transitions.length / 3, 'transition')}${
      left > 0 ? `; ${plural(left, 'more state')} left out` : ''}${
      this.model.unexplored.size > 0 ? `; ${plural(this.model.unexplored.size, 'state')} not explored, since the answer did not need them` : ''}.`;
    this.filter(data.cut_of.map((_, state) => state));
    this.overview();
    this.select(0, false);
  }

  overview() {
    const {model} = this;
    const picture = model.count <= mostDrawn ? model.whole() : model.collapsed();
    this.isWhole = model.count <= mostDrawn;
    this.filter(model.data.cut_of.map((_, state) => state));
    if (picture) this.graph.show(picture);
    else this.graph.show(model.around(this.now ?? 0));
  }

  filter(states) {
    this.states = states;
    this.list.setCount(states.length);
  }

  choose(id) {
    if (id.startsWith('c')) {
      const states = this.model.byCut[Number(id.slice(1))];
      this.filter(states);
      this.select(states[0], false);
      this.graph.light([id]);
    } else {
      this.select(Number(id), true);
    }
  }

  select(state, redraw) {
    this.now = state;
    const {model} = this;
    const cut = model.data.cuts[model.data.cut_of[state]];
    const literals = model.literals(state);
    const steps = (rows, arrow) => rows.slice(0, 60).map(([label, other]) => h('li', {},
      h('button', {type: 'button', class: 'link', onclick: () => this.select(other, true)},
        `${arrow} ${other}`), ' ', h('code', {}, model.label(label))));
    this.about.replaceChildren(h('p', {}, h('b', {}, `State ${state}`), ' ', placeLink(this.pane, cut[0], cut[1])),
      h('ul', {class: 'terms'}, literals.length > 0 ? literals.map((text) => h('li', {}, h('code', {}, text)))
        : h('li', {class: 'note'}, 'nothing is known')),
      h('ul', {class: 'terms'}, steps(model.out[state], '→'), steps(model.into[state], '←')));
    this.list.refresh();
    const at = this.states.indexOf(state);
    if (at >= 0) this.list.reveal(at);
    if (redraw && !this.isWhole) this.graph.show(model.around(state));
    this.graph.light([state]);
    if (redraw) this.pane.show(cut[0], cut[1]);
  }

  row(i) {
    const state = this.states[i];
    return h('div', {class: `step ${state === this.now ? 'now' : ''}`, role: 'option', 'aria-selected': String(state === this.now),
      'aria-posinset': i + 1, 'aria-setsize': this.states.length, onclick: () => this.select(state, true)},
      h('span', {class: 'place'}, `${state}`), h('span', {class: 'place'}, this.model.place(this.model.data.cut_of[state])),
      h('span', {class: 'text'}, this.model.telling(state).join(' ∧ ')));
  }

  onKey(event) {
    const moves = {ArrowDown: 1, ArrowUp: -1};
    if (!(event.key in moves)) return;
    event.preventDefault();
    const next = this.states[this.states.indexOf(this.now) + moves[event.key]];
    if (next !== undefined) this.select(next, true);
  }

  save(kind) {
    const name = this.model.data.component ?? 'model';
    download(`${name.replace(/[^\w.-]/g, '_')}.${kind}`, kind === 'dot' ? this.model.dot() : this.model.aut());
  }
}
