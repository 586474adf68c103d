// SPDX-License-Identifier: Apache-2.0
// The pages of --html in a real browser:
// node report_test.mjs AGON REPOSITORY WORK_FOLDER [SCREENSHOT_FOLDER]
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {install} from './setup.mjs';

const [, , agon, repository, work, shots] = process.argv;
const here = join(repository, 'tests', 'web');
install(here, work);
const {chromium} = createRequire(join(work, 'package.json'))('playwright-core');

function makePage(name, ...words) {
  const page = join(work, `${name}.html`);
  const run = spawnSync(agon, [...words, '--html', page], {cwd: repository, encoding: 'latin1'});
  assert.ok([0, 1].includes(run.status), `agon ${words.join(' ')}: ${run.stdout}${run.stderr}`);
  assert.ok(statSync(page).size < 10e6);
  return page;
}

// A page with these data instead of those of a run.
function inventPage(name, data) {
  const text = readFileSync(join(repository, 'web', 'dist', 'report.html'), 'utf8');
  const page = join(work, `${name}.html`);
  writeFileSync(page, text.replace('@agon-data@', () => JSON.stringify(data).replaceAll('<', '\\u003c')));
  assert.ok(statSync(page).size < 10e6, `${name} has ${statSync(page).size} bytes`);
  return page;
}

const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
assert.ok(path, 'there is no chromium; see tools/packages.txt');
const browser = await chromium.launch({executablePath: path, args: ['--no-sandbox', '--disable-gpu']});

// Opens a page, and fails if anything is complained about or asked of a network.
async function open(file, options = {}) {
  const context = await browser.newContext({viewport: {width: 1400, height: 860}, colorScheme: 'light', ...options});
  const page = await context.newPage();
  page.setDefaultTimeout(120000);  // For machines that do other things as well.
  page.complaints = [];
  page.on('console', (message) => page.complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => page.complaints.push(error.stack));
  page.on('dialog', (dialog) => page.complaints.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) page.complaints.push(`request of ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  return page;
}

async function close(page, name) {
  if (shots && name) await page.screenshot({path: join(shots, `${name}.png`)});
  assert.deepEqual(page.complaints, []);
  await page.context().close();
}

const tab = (page, name) => page.getByRole('tab', {name, exact: true});
const counter = (page) => page.locator('.counter').textContent();

const tests = {
  async 'opens with the verdict, its assumptions and the source'() {
    const page = await open(makePage('disk', 'check', 'examples/disk_bug.c', '--spec', 'examples/disk.agon'));
    assert.match(await page.title(), /disk_flush violated/);
    assert.match(await page.locator('h1').textContent(), /violated\s+disk_flush does not conform to Free/);
    await page.getByText(/Under \d+ assumptions/).click();
    assert.ok(await page.getByText('behaves as assumed in').first().isVisible());
    assert.ok(await page.locator('.line.visited').count() > 0);
    assert.ok(await page.locator('.line .hljs-keyword').count() > 0);
    await close(page, 'light');
  },

  async 'steps with keys and buttons, and source, values and states follow'() {
    const page = await open(join(work, 'disk.html'));
    assert.match(await counter(page), /^1 \/ \d+$/);
    const first = await page.locator('.line.current').getAttribute('data-line');
    await page.keyboard.press('j');
    assert.match(await counter(page), /^2 /);
    await page.getByRole('button', {name: 'Next step'}).click();
    assert.match(await counter(page), /^3 /);
    await page.keyboard.press('k');
    assert.match(await counter(page), /^2 /);
    await page.keyboard.press('End');
    const last = await page.locator('.line.current.bad').getAttribute('data-line');
    assert.notEqual(first, last);
    assert.match(await page.locator('[aria-live]').first().textContent(), /is not allowed here; allowed: unlock/);
    // States have the names that examples/disk.agon gives them.
    const lit = () => page.locator('.stepspanel .node.lit text').allTextContents();
    assert.equal(await page.locator('.where').textContent(), ' no response in Held');
    assert.deepEqual(await lit(), ['Held']);
    await page.keyboard.press('Home');
    assert.match(await counter(page), /^1 /);
    assert.deepEqual(await lit(), ['Free']);
    await page.keyboard.press('n');
    assert.match(await page.locator('.present').textContent(), /lock$/);
    assert.deepEqual(await lit(), ['Held']);
    assert.equal(await page.locator('.where').textContent(), ' in Held');
    await page.keyboard.press('k');
    assert.deepEqual(await lit(), ['Free']);
    const drawn = await page.locator('.stepspanel .node text').allTextContents();
    assert.deepEqual(drawn.sort(), ['Free', 'Held', 'STOP']);
    assert.equal(await page.locator('.steps [aria-selected=true]').count(), 1);
    const shown = await page.locator('.steps .step').count();
    await page.getByLabel('all steps').check();
    assert.ok(await page.locator('.steps .step').count() > shown);
    await close(page);
  },

  async 'has several results to choose from'() {
    const page = await open(join(work, 'disk.html'));
    await page.getByRole('button', {name: /disk_submit/}).click();
    assert.match(await page.locator('h1').textContent(), /holds\s+disk_submit conforms to Free/);
    assert.equal(await tab(page, 'Counterexample').count(), 0);
    await page.keyboard.press(']');
    assert.match(await page.locator('h1').textContent(), /disk_flush/);
    await close(page);
  },

  async 'opens the branches of a strategy and says why each loses'() {
    const page = await open(makePage('choice', 'check', 'tests/web/choice.c', '--spec', 'tests/web/choice.agon',
      '--conformance', 'simulation'));
    await tab(page, 'Strategy').click();
    const responses = page.locator('.tree .response');
    assert.equal(await responses.count(), 2);
    for (const item of await responses.all()) {
      if (await item.getAttribute('aria-expanded') === 'false') await item.locator('> .row').click();
    }
    const reasons = (await page.locator('.lost').allTextContents()).sort();
    assert.equal(reasons.length, 2);
    // After `a` the specification can do either b or c, never both.
    assert.match(reasons.join('\n'), /allows only b\n.*allows only c/);
    await responses.first().focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await responses.first().getAttribute('aria-expanded'), 'false');
    await close(page, 'strategy');
  },

  async 'plays until you are stuck, whatever you choose'() {
    for (const choice of [0, 1]) {
      const page = await open(join(work, 'choice.html'));
      await tab(page, 'Play').click();
      assert.match(await page.locator('.turn').textContent(), /The program does a/);
      assert.equal(await page.locator('.choice').count(), 2);
      await page.locator('.choice').nth(choice).click();
      for (let i = 0; i < 20 && await page.locator('.choice').count() > 0; ++i) await page.keyboard.press('1');
      assert.match(await page.locator('.turn').textContent(), /you are stuck.*could only do [bc]\./);
      await page.getByRole('button', {name: 'Take back'}).click();
      assert.equal(await page.locator('.choice').count(), 2);
      if (choice === 1) await page.locator('.choice').nth(choice).click();
      await close(page, choice === 1 ? 'play' : null);
    }
  },

  async 'draws the specification, the refinement and the model'() {
    const page = await open(makePage('socket', 'check', 'examples/socket_bug.c', '--spec', 'examples/socket.agon'));
    await tab(page, 'Specification').click();
    const nodes = page.getByRole('tabpanel', {name: 'Specification'}).locator('.node');
    assert.ok(await nodes.count() > 1);
    await tab(page, 'Refinement').click();
    assert.equal(await page.locator('.plot polyline').count(), 3);
    const said = await page.locator('.plot text').allTextContents();
    for (const text of ['Predicates', 'States', 'Iteration', '0', '1']) assert.ok(said.includes(text), `${text}: ${said}`);
    const rows = page.locator('.grid tbody tr');
    assert.ok(await rows.count() > 1);
    await rows.first().getByText(/new predicate/).click();
    await rows.first().getByText(/The abstraction allowed .* but no execution does this/).waitFor();
    await rows.first().locator('button.place').first().click();
    assert.equal(await page.locator('.line.current').count(), 1);
    await close(page, 'refinement');
    const model = await open(join(work, 'socket.html'));
    await tab(model, 'Model').click();
    assert.ok(await model.locator('.modelpanel .node').count() > 1);
    await model.locator('.modelpanel .node').nth(1).click();
    assert.match(await model.locator('.about').textContent(), /State \d+/);
    for (const kind of ['dot', 'aut']) {
      const [saved] = await Promise.all([model.waitForEvent('download'),
        model.getByRole('button', {name: `Download .${kind}`}).click()]);
      const text = readFileSync(await saved.path(), 'utf8');
      assert.match(text, kind === 'dot' ? /^digraph model \{[^]*->[^]*\}\n$/ : /^des \(0, \d+, \d+\)\n\(0, "/);
    }
    await close(model, 'model');
  },

  async 'draws a chart of components'() {
    const page = await open(makePage('pipeline', 'check', 'examples/pipeline.c', '--spec', 'examples/pipeline.agon',
      '--target', 'Smaller'));
    assert.ok(await page.locator('.lifelines span').count() > 1);
    assert.ok(await page.locator('.chartrow .message').count() > 0);
    await page.getByRole('button', {name: 'Chart'}).click();
    assert.equal(await page.locator('.chartrow').count(), 0);
    await page.getByRole('button', {name: 'Chart'}).click();
    await page.keyboard.press('n');
    await close(page, 'chart');
  },

  async 'says who waits for whom in a deadlock'() {
    const page = await open(makePage('hungry', 'check', 'examples/philosophers.c', '--spec', 'examples/philosophers.agon',
      '--target', 'Hungry'));
    await page.keyboard.press('End');
    assert.match(await page.locator('.present').textContent(), /nobody can go on/);
    const waiting = await page.locator('.stepspanel .waiting li').allTextContents();
    assert.equal(waiting.length, 6);
    // Each has one fork and wants the one on the other side.
    assert.ok(waiting.includes('p.0 waits for f.1.right.take'), waiting.join('\n'));
    // What is performed together is written on the line, in full.
    const cut = await page.locator('.chartrow .text').evaluateAll((texts) => texts.filter(
      (text) => text.textContent.includes('take') && text.scrollWidth > text.clientWidth).length);
    assert.equal(cut, 0);
    await close(page, 'deadlock');
  },

  async 'shows other commands'() {
    for (const [name, ...words] of [
      ['reach', 'reach', 'tests/web/reach.c'], ['falsify', 'falsify', 'examples/square_root.c'],
      ['module', 'module', 'examples/stack_bug.c', '--api', 'push,pop', '--callbacks'],
      ['open', 'open', 'examples/stack.ia', '-D', 'size=3', '--never', 'oflo']]) {
      const page = await open(makePage(name, ...words));
      assert.ok(await page.locator('h1 .badge').isVisible());
      for (const each of await page.getByRole('tab').all()) await each.click();
      await page.keyboard.press('j');
      await close(page, name);
    }
  },

  async 'is dark if the reader wants it'() {
    const page = await open(join(work, 'disk.html'), {colorScheme: 'dark'});
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await colour();
    assert.ok(Number(/\d+/.exec(dark)[0]) < 60, dark);
    await page.keyboard.press('d');
    assert.equal(await colour(), 'rgb(255, 255, 255)');
    await page.locator('#theme').click();
    assert.equal(await colour(), dark);
    await close(page, 'dark');
  },

  async 'fits narrow screens and paper'() {
    const page = await open(join(work, 'disk.html'), {viewport: {width: 400, height: 800}});
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 400, `${width} wide`);
    const source = await page.locator('.code').evaluate((element) => element.clientHeight);
    assert.ok(source > 100 && source < 400, `the source is ${source} high`);
    await close(page, 'narrow');
    const paper = await open(join(work, 'disk.html'));
    await paper.emulateMedia({media: 'print'});
    await paper.locator('.grid').waitFor();
    assert.ok(await paper.getByText('behaves as assumed in').first().isVisible());
    assert.ok(!await paper.getByRole('tablist').isVisible());
    const printed = await paper.locator('.code .line').count();
    assert.ok(printed > 100, `${printed} lines of source on paper`);
    await paper.pdf({path: join(shots ?? work, 'print.pdf'), format: 'A4'});
    await close(paper);
  },

  async 'can be used with a keyboard and a screen reader'() {
    const page = await open(join(work, 'disk.html'));
    const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, select, input, [role=tab]')].filter(
      (e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map((e) => e.outerHTML));
    assert.deepEqual(unnamed, []);
    const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((e) => e.id));
    assert.equal(new Set(ids).size, ids.length);
    await tab(page, 'Counterexample').focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await tab(page, 'Summary').getAttribute('aria-selected'), 'true');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, 'solid');
    await page.keyboard.press('?');
    assert.ok(await page.getByRole('dialog').isVisible());
    await page.keyboard.press('Escape');
    await close(page);
  },

  async 'has contrast, names and roles enough for axe'() {
    for (const [name, colorScheme] of [['disk', 'light'], ['disk', 'dark'], ['falsify', 'light']]) {
      const page = await open(join(work, `${name}.html`), {colorScheme, bypassCSP: true});
      await page.addScriptTag({path: join(work, 'node_modules', 'axe-core', 'axe.min.js')});
      for (const each of await page.getByRole('tab').all()) {
        await each.click();
        const found = await page.evaluate(() => window.axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'best-practice']}));
        assert.ok(found.passes.length > 10);
        assert.deepEqual(found.violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`), [], `${name}, ${await each.textContent()}`);
      }
      await close(page);
    }
  },

  async 'survives hostile text'() {
    const page = await open(makePage('hostile', 'check', 'tests/web/hostile.c', '--spec', 'tests/web/hostile.agon'));
    await page.keyboard.press('End');
    assert.match(await page.locator('[aria-live]').first().textContent(), /return\{result < 1 && "<\/script>"\[0\] == '<'\}/);
    assert.match(await page.locator('.values').textContent(), /\$dollar_é€_identifier/);
    assert.equal(await page.locator('script').count(), 2);
    assert.equal(await page.locator('img, .code b, .code script').count(), 0);
    await page.locator('.code').evaluate((element) => element.scrollTo(0, 0));
    // One long line does not cost the others their colours.
    assert.ok(await page.locator('.line .hljs-keyword').count() > 0);
    const text = await page.locator('.code').textContent();
    assert.match(text, /<\/script><script>alert\(1\)<\/script>/);
    assert.match(text, /gr\ufffd\ufffd, a byte \ufffd; an escape \u241b\[31m\u241b\]0;title\u2407/);
    assert.match(text, /Reordering ⟨U\+202E⟩ and separators ⟨U\+2028⟩/);
    for (const each of await page.getByRole('tab').all()) await each.click();
    await close(page, 'hostile');
  },

  async 'plays a trace against the states of a specification'() {
    const page = await open(inventPage('trace', {agon: '0', command: 'check', assumptions: [], sources: [], results: [{
      target: 't', spec: 'S', verdict: 'violated', decided_by: 'trace', reason: null, time_s: 0,
      counterexample: {actions: ['a', 'b', 'b'], allowed: [], tree: null, steps: []},
      specification: {initial: 0, states: 5, alphabet: ['a', 'b', 'c'],
        transitions: [[0, 'tau', 4], [4, 'a', 1], [4, 'a', 2], [1, 'b', 3], [2, 'c', 3]]}}]}));
    await tab(page, 'Play').click();
    assert.deepEqual(await page.locator('.choice').allTextContents(), ['1 a to state 1', '2 a to state 2']);
    await page.keyboard.press('2');
    assert.match(await page.locator('.turn').textContent(), /in state 2\. The program does b, and you are stuck.*only do c\./);
    await page.getByRole('button', {name: 'Take back'}).click();
    await page.keyboard.press('1');
    await page.keyboard.press('1');
    assert.match(await page.locator('.turn').textContent(), /in state 3\..*you are stuck.*nothing at all/);
    await close(page);
  },

  async 'shows an execution of 2,000 steps'() {
    const lines = Array.from({length: 1000}, (_, i) => `  tick();\n  if (n == ${-i - 1}) return;`);
    writeFileSync(join(work, 'long.c'), `void tick(void), bad(void);\nvoid proc(int n) {\n${lines.join('\n')}\n  bad();\n}\n`);
    writeFileSync(join(work, 'long.agon'), 'assume void tick(void) : (tick -> return -> STOP);\n' +
      'assume void bad(void) : (bad -> return -> STOP);\nS = (tick -> S | return -> STOP)+{bad}.\nverify void proc(int n) : S;\n');
    const page = await open(makePage('long', 'check', join(work, 'long.c'), '--spec', join(work, 'long.agon')));
    assert.match(await counter(page), /^1 \/ 2,001$/);
    await page.keyboard.press('End');
    assert.match(await page.locator('[aria-live]').first().textContent(), /bad is not allowed here; allowed: return, tick/);
    assert.equal(await page.locator('.line.current').getAttribute('data-line'), '2003');
    await close(page);
  },

  async 'opens and scrolls a counterexample of 10,000 steps and a model of 50,000 states'() {
    const page = await open(inventPage('big', bigData()));
    assert.match(await counter(page), /^1 \/ 10,000$/);
    assert.ok(await page.locator('.steps .step').count() < 200);
    await page.keyboard.press('End');
    assert.match(await counter(page), /^10,000 \//);
    assert.ok(await page.locator('#step-9999').isVisible());
    for (let i = 0; i < 20; ++i) await page.keyboard.press('k');
    assert.match(await counter(page), /^9,980 \//);
    await page.locator('.steps').evaluate((element) => element.scrollTo(0, 5000 * 26));
    await page.locator('#step-5002').click();
    assert.match(await counter(page), /^5,003 \//);
    await tab(page, 'Strategy').click();
    await page.getByRole('button', {name: 'Show what follows'}).click();
    await tab(page, 'Play').click();
    await page.keyboard.press('1');
    await tab(page, 'Model').click();
    assert.match(await page.locator('.modelpanel .note').first().textContent(), /50,000 states/);
    assert.equal(await page.locator('.modelpanel .node.group').count(), 100);
    // Nodes come into sight when they get the focus.
    const isSeen = () => page.locator('.modelpanel .node.group').nth(90).evaluate((node) => {
      const [inner, outer] = [node.getBoundingClientRect(), node.closest('.canvas').getBoundingClientRect()];
      return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
    });
    assert.ok(!await isSeen());
    await page.locator('.modelpanel .node.group').nth(90).focus();
    assert.ok(await isSeen());
    await page.keyboard.press('Enter');
    assert.match(await page.locator('.about').textContent(), /^State 90 /);
    await page.getByRole('tabpanel', {name: 'Model'}).getByRole('button', {name: 'Fit into the view'}).click();
    await page.locator('.modelpanel .node.group').nth(5).click();
    await page.locator('.states').evaluate((element) => element.scrollTo(0, 400 * 24));
    await page.locator('.states .step').nth(10).click();
    assert.ok(await page.locator('.modelpanel .node').count() < 100);
    await close(page, 'big');
  },
};

function bigData() {
  const source = Array.from({length: 3000}, (_, i) => `  x = x + ${i}; // line ${i + 1}`).join('\n');
  const steps = Array.from({length: 10000}, (_, i) => ({file: 'big.c', line: i % 3000 + 1, text: `x = x + ${i}`,
    action: i % 2 === 0 ? null : 'tick', values: {x: String(i)}}));
  const actions = Array.from({length: 5000}, () => 'tick');
  const transitions = [];
  for (let i = 0; i < 50000; ++i) {
    for (const k of [1, 7, 300]) transitions.push(i, k % 3, (i * k + 1) % 50000);
  }
  return {
    agon: '0', command: 'check', assumptions: [], sources: [{name: 'big.c', text: source, cut: false}],
    results: [{
      target: 'big', spec: 'S', verdict: 'violated', decided_by: 'trace', reason: null, time_s: 1,
      counterexample: {actions: [...actions, 'bad'], allowed: ['tick'], tree: null,
        steps: [...steps.slice(0, 9999), {file: 'big.c', line: 3000, text: 'bad', action: 'bad', values: {}}]},
      specification: {initial: 0, states: 1, alphabet: ['tick', 'bad'], transitions: [[0, 'tick', 0]]},
      models: [{component: null, num_states: 50000, predicates: Array.from({length: 20}, (_, i) => [`x < ${i}`, `x >= ${i}`]),
        labels: ['tau', 'tick', 'bad'],
        cuts: Array.from({length: 100}, (_, i) => ['big.c', i + 1, Array.from({length: 20}, (_, k) => k)]),
        cut_of: Array.from({length: 50000}, (_, i) => i % 100),
        values: Array.from({length: 50000}, (_, i) => i.toString(2).padStart(20, '0')),
        unexplored: [], transitions}],
    }],
  };
}

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  const start = Date.now();
  try {
    await test();
    console.log(`ok      ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    ++failures;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(`${Object.keys(tests).length} tests, ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
