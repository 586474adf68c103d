// SPDX-License-Identifier: Apache-2.0
// Lists of any length: only the rows in sight exist. For printing, and only
// then, many do.
import {h} from './dom.js';

const printed = 1500;
const all = new Set();

export class VirtualList {
  // render(i) makes the row of an entry; rows are `height` pixels high.
  constructor({height, render, attributes = {}}) {
    this.height = height;
    this.render = render;
    this.count = 0;
    this.rows = new Map();
    this.inner = h('div', {class: 'vinner', role: 'presentation'});
    this.element = h('div', {...attributes, class: `vlist ${attributes.class ?? ''}`}, this.inner);
    this.element.addEventListener('scroll', () => this.update(), {passive: true});
    new ResizeObserver(() => this.update()).observe(this.element);
    all.add(this);
  }

  setCount(count) {
    this.count = count;
    this.inner.style.height = `${count * this.height}px`;
    this.refresh();
  }

  refresh() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.update();
  }

  update() {
    if (this.isPrinting) return;
    const above = Math.floor(this.element.scrollTop / this.height) - 12;
    const shown = Math.ceil(this.element.clientHeight / this.height) + 24;
    const first = Math.max(0, Math.min(above, this.count - shown));
    const end = Math.min(this.count, first + shown);
    for (const [i, row] of this.rows) {
      if (i >= first && i < end) continue;
      row.remove();
      this.rows.delete(i);
    }
    for (let i = first; i < end; ++i) {
      if (this.rows.has(i)) continue;
      const row = this.render(i);
      row.style.top = `${i * this.height}px`;
      row.style.height = `${this.height}px`;
      this.rows.set(i, row);
      this.inner.append(row);
    }
  }

  // Brings an entry into sight, in the middle if it was not.
  reveal(i) {
    const top = i * this.height;
    const {scrollTop, clientHeight} = this.element;
    if (top < scrollTop + this.height || top > scrollTop + clientHeight - 2 * this.height) {
      this.element.scrollTop = Math.max(0, top - clientHeight / 2);
    }
    this.update();
  }

  print() {
    this.isPrinting = true;
    this.inner.replaceChildren();
    const count = Math.min(this.count, printed);
    for (let i = 0; i < count; ++i) this.inner.append(this.render(i));
    if (count < this.count) {
      this.inner.append(h('p', {class: 'note'}, `… ${this.count - count} more rows are not printed`));
    }
  }

  screen() {
    this.isPrinting = false;
    this.inner.replaceChildren();
    this.rows.clear();
    this.update();
  }
}

export const printLists = () => all.forEach((list) => list.element.isConnected && list.print());
export const screenLists = () => all.forEach((list) => list.isPrinting && list.screen());
