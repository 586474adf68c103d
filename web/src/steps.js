// SPDX-License-Identifier: Apache-2.0
// The counterexample: its steps as a list or a chart, values, and where the
// specification is meanwhile.
import {base, h, plural} from './dom.js';
import {GraphView, specificationPicture} from './graph.js';
import {VirtualList} from './virtual.js';

const mostDrawn = 60;  // States of a specification beside the steps.

function stepsOf(result) {
  const {steps, actions = [], dialogue} = result.counterexample;
  if (steps && steps.length > 0) return steps;
  const lines = result.play ?? actions ?? dialogue;
  return lines.map((action) => ({file: null, line: 0, text: action, action, values: {}}));
}

// Who waits for what.
export function stuck(waiting) {
  return h('ul', {class: 'waiting'}, Object.entries(waiting).map(([component, names]) => h('li', {}, h('b', {}, component),
    names.length > 0 ? [' waits for ', h('code', {}, names.join(', '))] : ' does not go on')));
}

function said(step, name, value) {
  return step.text === `${name} = ${value}` || step.text === `return ${value}`;
}

function remarkOf(step) {
  return Object.entries(step.values).map(([name, value]) => `${name} = ${value}`).join('   ');
}

// Actions of described routines happen in the specification; a reader wants to
// see the line of the program that got there.
export function seenPlace(steps, i) {
  if (!steps[i].file?.endsWith('.agon')) return steps[i];
  if (steps[i].call) return steps[i].call;
  for (let k = i; k >= 0; --k) {
    const isOther = steps[k].component !== steps[i].component;
    if (!isOther && steps[k].line && !steps[k].file.endsWith('.agon')) return steps[k];
  }
  return steps[i];
}

// How many of the actions have been performed after each step.
export function performed(steps, actions) {
  let count = 0;
  let event = 0;
  return steps.map((step) => {
    const isFirst = step.action && (!step.event || step.event !== event);
    if (step.event) event = step.event;
    if (isFirst && step.action === actions[count]) ++count;
    count += step.skipped_actions ?? 0;
    return count;
  });
}

export class StepsPanel {
  constructor(result, pane, spec) {
    this.pane = pane;
    this.spec = spec;
    this.shown = result.counterexample;
    this.isViolated = result.verdict === 'violated' && !this.shown.waiting;
    this.all = stepsOf(result);
    this.done = performed(this.all, this.shown.actions ?? []);
    this.components = this.shown.components ?? [];
    this.isFull = false;
    this.asChart = this.components.length > 1;
    this.now = -1;
    this.events = new Map();  // By number: who takes part, and the last step.
    this.all.forEach((step, i) => {
      if (!step.event) return;
      if (!this.events.has(step.event)) this.events.set(step.event, {members: new Set()});
      const event = this.events.get(step.event);
      event.members.add(this.components.indexOf(step.component));
      event.last = i;
    });
    this.live = h('p', {class: 'present', role: 'status', 'aria-live': 'polite', 'aria-atomic': 'true'});
    this.values = h('div', {class: 'values', tabindex: '0', role: 'region', 'aria-label': 'Values'});
    this.list = new VirtualList({
      height: 26,
      render: (i) => (this.asChart ? this.chartRow(i) : this.row(i)),
      attributes: {class: 'steps', role: 'listbox', tabindex: '0', 'aria-label': 'Steps',
        onkeydown: (event) => this.onKey(event)},
    });
    this.head = h('div', {class: 'lifelines', 'aria-hidden': 'true'});
    this.element = h('div', {class: 'stepspanel'}, this.toolbar(), this.live, this.head, this.list.element, this.below());
    this.select();
  }

  toolbar() {
    const tool = (text, name, keys, act) => h('button', {type: 'button', 'aria-label': name,
      title: `${name} (${keys})`, onclick: act}, text);
    this.counter = h('output', {class: 'counter'});
    this.full = h('input', {type: 'checkbox', onchange: () => {
      this.isFull = this.full.checked;
      this.select();
    }});
    const chart = h('button', {type: 'button', 'aria-pressed': String(this.asChart), onclick: () => {
      this.asChart = !this.asChart;
      chart.setAttribute('aria-pressed', String(this.asChart));
      this.select();
    }}, 'Chart');
    return h('div', {class: 'toolbar', role: 'toolbar', 'aria-label': 'Steps'},
      tool('«', 'First step', 'Home', () => this.go(0)),
      tool('‹', 'Previous step', 'k', () => this.go(this.now - 1)),
      tool('›', 'Next step', 'j', () => this.go(this.now + 1)),
      tool('»', 'Last step', 'End', () => this.go(this.steps.length - 1)),
      tool('↷ action', 'Next action', 'n', () => this.goAction(1)),
      this.counter,
      h('span', {class: 'spacer'}),
      this.components.length > 1 ? chart : null,
      this.all.some((step) => step.hidden) ? h('label', {class: 'check'}, this.full, 'all steps') : null);
  }

  below() {
    const cards = [];
    if (this.all.some((step) => Object.keys(step.values).length > 0) || Object.keys(this.shown.initial ?? {}).length > 0) {
      cards.push(h('section', {class: 'card'}, h('h3', {}, 'Values'), this.values));
    }
    if (this.shown.waiting) {
      cards.push(h('section', {class: 'card'}, h('h3', {}, 'At the end'), stuck(this.shown.waiting)));
    }
    if (this.spec && this.spec.count <= mostDrawn && this.spec.transitions.length > 0) {
      this.graph = new GraphView({label: 'Specification'});
      this.where = h('span', {class: 'where'});
      cards.push(h('section', {class: 'card'},
        h('h3', {}, 'Specification', this.where), this.graph.element));
    }
    return cards.length > 0 ? h('div', {class: 'below'}, cards) : null;
  }

  // To be called once it is in the page.
  attached() {
    if (this.graph && !this.graph.picture) this.graph.show(specificationPicture(this.spec));
    this.list.update();
    this.update();
  }

  select() {
    const at = this.now >= 0 ? this.indices[this.now] : 0;
    this.indices = [];
    this.all.forEach((step, i) => {
      const isShown = this.isFull || !step.hidden;
      // What several do together is one row of a chart, where the last joins.
      if (isShown && (!this.asChart || !step.event || this.events.get(step.event).last === i)) this.indices.push(i);
    });
    if (this.indices.length === 0) this.indices = this.all.map((_, i) => i);
    this.steps = this.indices.map((i) => this.all[i]);
    this.now = -1;
    this.list.element.classList.toggle('chart', this.asChart);
    this.drawHead();
    this.list.setCount(this.steps.length);
    const next = this.indices.findIndex((i) => i >= at);
    this.go(next < 0 ? this.steps.length - 1 : next);
  }

  drawHead() {
    this.head.hidden = !this.asChart;
    this.head.replaceChildren(...this.components.map((name) => h('span', {}, name)));
  }

  isLast(i) {
    return i === this.steps.length - 1;
  }

  attributes(i, extra) {
    return {
      class: `step ${this.steps[i].action ? 'action' : ''} ${i === this.now ? 'now' : ''} ${
        this.isLast(i) && this.isViolated ? 'last' : ''} ${extra}`,
      role: 'option', id: `step-${i}`,
      'aria-selected': String(i === this.now), 'aria-posinset': i + 1, 'aria-setsize': this.steps.length,
      onclick: () => this.go(i),
    };
  }

  row(i) {
    const step = this.steps[i];
    const values = Object.entries(step.values).filter(([name, value]) => !said(step, name, value));
    return h('div', this.attributes(i, ''),
      this.place(i),
      h('span', {class: 'text', title: step.text}, step.component ? h('b', {}, `${step.component} `) : null,
        step.action ? h('span', {class: 'arrow', 'aria-hidden': 'true'}, '→ ') : null, step.text),
      h('span', {class: 'newvalues'}, values.map(([name, value]) => `${name} = ${value}`).join('  ')));
  }

  place(i) {
    const {file, line} = this.isFull ? this.steps[i] : seenPlace(this.all, this.indices[i]);
    return h('span', {class: 'place', title: file ?? ''}, line && file ? `${base(file)}:${line}` : '');
  }

  // One column per component; an event joins those that perform it.
  chartRow(i) {
    const step = this.steps[i];
    const count = this.components.length;
    const own = Math.max(0, this.components.indexOf(step.component));
    const row = h('div', this.attributes(i, 'chartrow'));
    const members = step.event ? this.events.get(step.event).members : new Set([own]);
    const from = Math.min(...members);
    const to = Math.max(...members);
    const percent = (columns) => `${(100 * columns) / count}%`;
    this.components.forEach((_, k) => {
      const cell = h('span', {class: 'cell'}, members.has(k) ? h('span', {class: step.action ? 'dot action' : 'dot'}) : null);
      cell.style.left = percent(k);
      row.append(cell);
    });
    if (to > from) {
      const message = h('span', {class: 'message'});
      message.style.left = percent(from);
      message.style.width = percent(to - from);
      row.append(message);
    }
    // What several do stands on the line between them; the rest has all the
    // room on its right.
    const text = h('span', {class: 'text', title: `${step.component}, ${step.file ?? ''}:${step.line}: ${step.text}`},
      step.line && !step.action ? `${step.line}: ` : '', step.text);
    text.style.left = percent(from);
    text.style.maxWidth = `calc(${percent(to > from ? to - from : count - from)} - 40px)`;
    row.append(text);
    return row;
  }

  onKey(event) {
    const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15};
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.go(this.now + moves[event.key]);
  }

  goAction(direction) {
    let i = this.now + direction;
    while (i > 0 && i < this.steps.length - 1 && !this.steps[i].action) i += direction;
    this.go(i);
  }

  go(i) {
    const next = Math.min(Math.max(0, i), this.steps.length - 1);
    if (next === this.now || this.steps.length === 0) return;
    this.now = next;
    this.list.reveal(next);
    this.list.refresh();
    this.list.element.setAttribute('aria-activedescendant', `step-${next}`);
    this.update();
  }

  // The states of the specification after the present step.
  specificationStates() {
    return this.statesAfter(this.done[this.indices[this.now]]);
  }

  statesAfter(count) {
    const known = this.shown.specification_states;
    if (known && count < known.length) return known[count];
    if (!this.spec) return [];
    let states = this.spec.closure([this.spec.initial]);
    for (const action of this.shown.actions.slice(0, count)) states = this.spec.closure(this.spec.after(states, action));
    return states;
  }

  update() {
    const step = this.steps[this.now];
    const isOffence = this.isLast(this.now) && step.action && this.isViolated;
    const seen = this.isFull ? step : seenPlace(this.all, this.indices[this.now]);
    this.counter.textContent = `${(this.now + 1).toLocaleString('en')} / ${this.steps.length.toLocaleString('en')}`;
    const place = seen.line && seen.file ? `${base(seen.file)}:${seen.line}` : '';
    this.live.replaceChildren(...[
      h('span', {class: 'visually-hidden'}, `Step ${this.now + 1} of ${this.steps.length}. ${place} `),
      h('code', {}, step.component ? `${step.component}: ` : '', step.text),
      isOffence ? h('strong', {class: 'offence'}, this.offence()) : null,
      this.isLast(this.now) && this.shown.waiting ? h('strong', {class: 'offence'}, ' and then nobody can go on') : null].filter(Boolean));
    const remark = step.action ? `→ ${step.action}` : remarkOf(step);
    this.pane.show(seen.file, seen.line, remark, isOffence ? 'bad' : '');
    this.showValues();
    this.showStates(step, isOffence);
  }

  offence() {
    const {allowed} = this.shown;
    if (!this.spec || this.spec.transitions.length === 0 || !allowed) return ' must not happen';
    return allowed.length === 0 ? ' is not allowed here; nothing is'
      : ` is not allowed here; allowed: ${allowed.join(', ')}`;
  }

  showStates(step, isOffence) {
    if (!this.graph) return;
    let states = this.specificationStates();
    const isStuck = isOffence || states.length === 0;
    // Where it was when it could not answer.
    if (states.length === 0) states = this.statesAfter(this.done[this.indices[this.now]] - 1);
    this.graph.light(states);
    const names = states.slice(0, 8).map((state) => this.spec.title(state)).join(' or ');
    this.where.textContent = isStuck ? ` no response in ${names}` : ` in ${names}`;
    this.where.classList.toggle('lost', isStuck);
    this.graph.element.classList.toggle('stuck', isStuck);
  }

  showValues() {
    const last = this.indices[this.now];
    const known = new Map(Object.entries(this.shown.initial ?? {}).map(([name, value]) => [name, {value, at: -1}]));
    for (let i = 0; i <= last; ++i) {
      const step = this.all[i];
      if (step.hidden && !this.isFull) continue;
      for (const [name, value] of Object.entries(step.values)) {
        if (name === 'result') continue;
        known.set(step.component ? `${step.component}.${name}` : name, {value, at: i});
      }
    }
    if (known.size === 0) {
      this.values.replaceChildren(h('p', {class: 'note'}, 'No variable has a value that matters yet.'));
      return;
    }
    const rows = [...known].map(([name, {value, at}]) => h('tr', {class: at === last ? 'changed' : ''},
      h('th', {scope: 'row'}, name), h('td', {}, value)));
    this.values.replaceChildren(h('table', {}, h('caption', {class: 'visually-hidden'},
      `${plural(rows.length, 'variable')} after this step`), h('tbody', {}, rows)));
  }
}
