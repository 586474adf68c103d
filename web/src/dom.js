// SPDX-License-Identifier: Apache-2.0
// Elements from values. Text is only ever set as text.

// What would be invisible, or would reorder what stands around it.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

export function visible(text) {
  return String(text).replace(hidden, (c) => {
    const code = c.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
  });
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : visible(child));
  }
}

function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.setAttribute('class', value);
    else if (name === 'title') element.setAttribute('title', visible(value));
    else element.setAttribute(name, value === true ? '' : value);
  }
}

export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  assign(element, attributes ?? {});
  append(element, children);
  return element;
}

export function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  assign(element, attributes ?? {});
  append(element, children);
  return element;
}

let last = 0;
export const fresh = (prefix) => `${prefix}-${++last}`;

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

export function seconds(value) {
  if (value < 0.0005) return `${Math.round(value * 1e6)} µs`;
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

export function base(file) {
  return file.slice(file.lastIndexOf('/') + 1);
}

export function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], {type: 'text/plain'}));
  const link = h('a', {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
