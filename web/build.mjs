// SPDX-License-Identifier: Apache-2.0
// Makes dist/report.html: node build.mjs [OUTPUT]. Markup, style, script and
// the licences of what is bundled become one file with a place for data.
import {createHash} from 'node:crypto';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, 'dist', 'report.html');

async function bundle(file) {
  const made = await build({
    entryPoints: [join(here, 'src', file)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    legalComments: 'none',
    charset: 'ascii',
    target: ['es2021'],
    format: file.endsWith('.js') ? 'iife' : undefined,
    absWorkingDir: here,
  });
  return {text: made.outputFiles[0].text.trim(), inputs: Object.keys(made.metafile.inputs)};
}

// The packages that files of the bundle come from, and those inside of them.
function packages(inputs) {
  const names = new Set();
  for (const input of inputs) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(found[1]);
  }
  if (names.has('@dagrejs/dagre')) names.add('@dagrejs/graphlib');
  return [...names].sort();
}

function licence(name) {
  const folder = join(here, 'node_modules', name);
  const about = JSON.parse(readFileSync(join(folder, 'package.json')));
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt'].find((f) => existsSync(join(folder, f)));
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${about.version}\n\n${text}`;
}

function hash(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const script = await bundle('main.js');
const style = await bundle('style.css');
const licences = packages(script.inputs).map(licence).join('\n\n----\n\n');
if (/<\/script|<!--/i.test(script.text) || /<\/style/i.test(style.text) || licences.includes('-->')) {
  throw new Error('the bundle would break the page');
}
const policy = [`default-src 'none'`, `script-src ${hash(script.text)}`, `style-src ${hash(style.text)}`,
  `base-uri 'none'`, `form-action 'none'`].join('; ');
const page = readFileSync(join(here, 'src', 'index.html'), 'utf8')
  .replace('@policy@', () => policy)
  .replace('@style@', () => style.text)
  .replace('@licences@', () => licences)
  .replace('@script@', () => script.text);
writeFileSync(output, page);
console.log(`${output}: ${page.length} bytes, ${script.text.length} of them script`);
