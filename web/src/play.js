// SPDX-License-Identifier: Apache-2.0
// You are the specification; the program plays its winning strategy.
import {h, plural} from './dom.js';
import {GraphView, specificationPicture} from './graph.js';
import {titleOf} from './spec.js';

const mostDrawn = 120;

export class PlayPanel {
  constructor(game, spec, onVisit) {
    this.game = game;
    this.spec = spec;
    this.onVisit = onVisit;
    this.log = h('ol', {class: 'playlog', 'aria-label': 'What has happened'});
    this.turn = h('div', {class: 'turn', role: 'status', 'aria-live': 'polite'});
    this.choices = h('div', {class: 'choices', role: 'group', 'aria-label': 'Your responses'});
    const back = h('button', {type: 'button', onclick: () => this.undo()}, 'Take back');
    const again = h('button', {type: 'button', onclick: () => this.restart()}, 'Start again');
    if (spec && spec.count <= mostDrawn && spec.transitions.length > 0) this.graph = new GraphView({label: 'Specification'});
    this.element = h('div', {class: 'playpanel'},
      h('p', {class: 'note'}, 'You are the specification. The program poses its winning challenge; answer it as long as you can.'),
      h('div', {class: 'board'}, h('div', {class: 'talk'}, this.turn, this.choices,
        h('div', {class: 'toolbar'}, back, again), this.log), this.graph?.element ?? null));
    this.back = back;
    this.restart();
  }

  attached() {
    if (this.graph && !this.graph.picture) this.graph.show(specificationPicture(this.spec));
    this.visit();
  }

  restart() {
    this.history = [];
    this.position = this.game.start;
    this.settle();
    this.show();
  }

  undo() {
    if (this.history.length === 0) return;
    this.position = this.history.pop().before;
    this.show();
  }

  // You stay where you are while the program moves silently.
  settle() {
    for (let left = 100000; left > 0; --left) {
      const here = this.game.at(this.position);
      if (here.challenge !== 'tau' || here.responses.length !== 1) return;
      this.position = here.responses[0].position;
    }
  }

  answer(response, here) {
    this.history.push({before: this.position, challenge: here.challenge, state: response.state});
    this.position = response.position;
    this.settle();
    this.show();
    (this.choices.querySelector('button') ?? this.back).focus();
  }

  show() {
    const here = this.game.at(this.position);
    const title = (state) => titleOf(this.spec, state);
    const where = here.state === null ? '' : `You are in ${title(here.state)}. `;
    this.choices.replaceChildren();
    this.back.disabled = this.history.length === 0;
    if (here.responses.length === 0) {
      this.turn.replaceChildren(
        h('p', {class: 'stuck'}, `${where}The program does `, h('code', {}, here.challenge),
          ', and you are stuck.'),
        h('p', {}, here.allowed && here.allowed.length > 0
          ? `There you could only do ${here.allowed.join(', ')}.` : 'There you could do nothing at all.'),
        h('p', {class: 'note'}, this.wasForced() ? 'You never had a choice.'
          : `You lost after ${plural(this.history.length, 'answer')}. Whatever you choose, the program wins: take back and try.`));
    } else {
      this.turn.replaceChildren(h('p', {}, where, 'The program does ', h('code', {class: 'challenge'}, here.challenge),
        here.responses.length === 1 ? '. You have one response:' : '. Choose a response:'));
      here.responses.forEach((response, i) => this.choices.append(
        h('button', {type: 'button', class: 'choice', onclick: () => this.answer(response, here)},
          h('kbd', {'aria-hidden': 'true'}, String(i + 1)), ' ', h('code', {}, here.challenge),
          response.state === null ? '' : ` to ${title(response.state)}`)));
    }
    this.log.replaceChildren(...this.history.slice(-200).map(({challenge, state}) =>
      h('li', {}, h('code', {}, challenge), state === null ? ' – answered' : ` – you went to ${title(state)}`)));
    this.isOver = here.responses.length === 0;
    this.visit();
  }

  wasForced() {
    return this.history.every(({before}) => this.game.at(before).responses.length === 1);
  }

  visit() {
    const here = this.game.at(this.position);
    this.onVisit(here);
    if (!this.graph?.picture || here.state === null) return;
    this.graph.light([here.state], {label: here.challenge, targets: here.responses.map(({state}) => state)});
    this.graph.element.classList.toggle('stuck', this.isOver);
  }

  onDigit(digit) {
    this.choices.querySelectorAll('button')[digit - 1]?.click();
  }
}
