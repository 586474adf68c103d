// SPDX-License-Identifier: Apache-2.0
// Packages from npm, installed beside the build and never into the sources.
import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

// Exits as "skipped", with a reason, where there is no way to get packages;
// under CI this is a failure.
export function install(from, to) {
  mkdirSync(to, {recursive: true});
  const lock = readFileSync(join(from, 'package-lock.json'), 'utf8');
  const done = join(to, 'installed');
  if (existsSync(done) && readFileSync(done, 'utf8') === lock) return;
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(from, file), join(to, file));
  const run = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'],
    {cwd: to, encoding: 'utf8', timeout: 240000});
  if (run.status !== 0) {
    console.log(`the packages of ${from} cannot be installed: ${run.error ?? run.stderr}`);
    process.exit(process.env.CI ? 1 : 77);
  }
  writeFileSync(done, lock);
}
