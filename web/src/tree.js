// SPDX-License-Identifier: Apache-2.0
// The strategy as a tree: what the program does, each answer of the
// specification, and why the last ones lose. Branches are made when they are
// opened; answers without a choice stand below each other.
import {h, plural} from './dom.js';
import {titleOf} from './spec.js';

const chunk = 60;

export function loses(position, spec) {
  const who = titleOf(spec, position.state) ?? 'the specification';
  return position.allowed && position.allowed.length > 0
    ? `no response: ${who} allows only ${position.allowed.join(', ')}` : `no response: ${who} allows nothing`;
}

export class TreePanel {
  constructor(game, spec, onVisit) {
    this.game = game;
    this.spec = spec;
    this.onVisit = onVisit;
    this.root = h('ul', {role: 'tree', 'aria-label': 'Winning strategy', class: 'tree',
      onkeydown: (event) => this.onKey(event)});
    this.element = h('div', {class: 'treepanel'},
      h('p', {class: 'note'}, 'The program wins whatever the specification answers. Each line is a challenge; ' +
        'open a response to see how it loses.'),
      this.root);
    this.chain(game.start, 1, this.root);
    this.root.querySelector('[role=treeitem]')?.setAttribute('tabindex', '0');
    let closed = this.root.querySelector('[aria-expanded=false]');
    for (let i = 0; i < 8 && closed; ++i) {  // The first branch is open.
      this.toggle(closed);
      closed = closed.querySelector('[aria-expanded=false]');
    }
  }

  chain(start, level, into) {
    let position = start;
    for (let i = 0; ; ++i) {
      const here = this.game.at(position);
      if (i === chunk) {
        const rest = position;
        const more = h('li', {role: 'none'}, h('button', {type: 'button', class: 'more', onclick: () => {
          more.remove();
          this.chain(rest, level, into);
        }}, 'Show what follows'));
        into.append(more);
        return;
      }
      into.append(this.challenge(here, level));
      if (here.responses.length === 0) return;
      if (here.responses.length > 1) {
        here.responses.forEach((response, k) => into.append(this.response(here, response, k, level)));
        return;
      }
      position = here.responses[0].position;
    }
  }

  item(level, attributes, ...children) {
    return h('li', {role: 'treeitem', 'aria-level': level, tabindex: '-1', ...attributes}, ...children);
  }

  challenge(here, level) {
    const isLeaf = here.responses.length === 0;
    const next = here.responses.length === 1 && here.responses[0].state !== null ? here.responses[0].state : null;
    const item = this.item(level, {class: isLeaf ? 'leaf' : ''},
      h('span', {class: 'row'},
        here.state === null ? null : h('span', {class: 'state', title: `the specification is in ${titleOf(this.spec, here.state)}`},
          this.spec ? this.spec.name(here.state) : here.state),
        here.challenge === 'tau' ? h('span', {class: 'silent'}, 'a silent step')
          : h('code', {class: 'challenge'}, here.challenge),
        next !== null && next !== here.state ? h('span', {class: 'answer'}, `answered, to ${titleOf(this.spec, next)}`) : null,
        here.responses.length > 1 ? h('span', {class: 'answer'}, plural(here.responses.length, 'response')) : null,
        isLeaf ? h('span', {class: 'lost'}, loses(here, this.spec)) : null));
    item.addEventListener('click', (event) => {
      event.stopPropagation();
      this.focus(item);
      this.onVisit(here);
    });
    item.visit = () => this.onVisit(here);
    return item;
  }

  response(here, response, k, level) {
    const group = h('ul', {role: 'group', hidden: true});
    const text = response.state === null ? '' : `to ${titleOf(this.spec, response.state)}`;
    const item = this.item(level, {class: 'response', 'aria-expanded': 'false'},
      h('span', {class: 'row'}, h('span', {class: 'twist', 'aria-hidden': 'true'}),
        `response ${k + 1} of ${here.responses.length}: `, h('code', {}, here.challenge), ` ${text}`), group);
    item.fill = () => this.chain(response.position, level + 1, group);
    item.addEventListener('click', (event) => {
      event.stopPropagation();
      this.focus(item);
      this.toggle(item);
    });
    return item;
  }

  toggle(item, open = item.getAttribute('aria-expanded') === 'false') {
    if (!item.fill && !item.hasAttribute('aria-expanded')) return;
    const group = item.querySelector('[role=group]');
    if (open && group.childElementCount === 0) item.fill();
    group.hidden = !open;
    item.setAttribute('aria-expanded', String(open));
  }

  openAll() {
    for (let left = 300; left > 0; --left) {
      const closed = this.root.querySelector('[aria-expanded=false]');
      if (!closed) return;
      this.toggle(closed, true);
    }
  }

  focus(item) {
    this.root.querySelector('[tabindex="0"]')?.setAttribute('tabindex', '-1');
    item.setAttribute('tabindex', '0');
    item.focus();
  }

  onKey(event) {
    const item = event.target.closest('[role=treeitem]');
    if (!item) return;
    const items = [...this.root.querySelectorAll('[role=treeitem]')].filter((each) => !each.closest('[hidden]'));
    const at = items.indexOf(item);
    const isOpen = item.getAttribute('aria-expanded') === 'true';
    const act = {
      ArrowDown: () => at + 1 < items.length && this.focus(items[at + 1]),
      ArrowUp: () => at > 0 && this.focus(items[at - 1]),
      Home: () => this.focus(items[0]),
      End: () => this.focus(items[items.length - 1]),
      ArrowRight: () => (item.fill && !isOpen ? this.toggle(item, true) : act.ArrowDown()),
      ArrowLeft: () => {
        if (isOpen) return this.toggle(item, false);
        const parent = item.parentElement.closest('[role=treeitem]');
        return parent && this.focus(parent);
      },
      Enter: () => (item.fill ? this.toggle(item) : item.visit?.()),
      ' ': () => (item.fill ? this.toggle(item) : item.visit?.()),
    };
    if (!(event.key in act)) return;
    event.preventDefault();
    event.stopPropagation();
    act[event.key]();
  }
}
