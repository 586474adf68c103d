// SPDX-License-Identifier: Apache-2.0
// The page that is checked in is what its sources make:
// node bundle_test.mjs REPOSITORY WORK_FOLDER
import {spawnSync} from 'node:child_process';
import {cpSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {install} from './setup.mjs';

const [, , repository, work] = process.argv;
const web = join(repository, 'web');
install(web, work);
cpSync(join(web, 'src'), join(work, 'src'), {recursive: true, force: true});
cpSync(join(web, 'build.mjs'), join(work, 'build.mjs'));
const made = join(work, 'report.html');
const run = spawnSync('node', ['build.mjs', made], {cwd: work, encoding: 'utf8'});
console.log(run.stdout + run.stderr);
const [before, now] = [join(web, 'dist', 'report.html'), made].map((file) => readFileSync(file, 'utf8'));
const script = /<script>([^]*)<\/script>/.exec(now)?.[1].length ?? 0;
console.log(`${script} bytes of script`);
if (run.status !== 0 || before !== now) {
  console.log('web/dist/report.html is not what web/ makes: run make web');
  process.exit(1);
}
if (script > 150000) {
  console.log('the script is too large');
  process.exit(1);
}
