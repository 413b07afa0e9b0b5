// Setup and teardown of the page's tests: a browser, hosts of the page, and the native program for comparison.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { readFileSync } from 'node:fs';
import { ask, serve } from '../bridge.mjs';
import { launch, open } from './chrome.mjs';

/// Starts a browser and a host for the tests of a file. `further` has the options of serve() for further hosts by name.
export function setUp(further = {}) {
  const hosts = { host: {}, ...further };
  const site = {
    /// Opens a page of the host `at`. The other options are those of open().
    start: ({ at = 'host', ...options } = {}) => open(site.browser, site[at].base, options),
  };
  before(async () => {
    site.browser = await launch();
    for (const [name, how] of Object.entries(hosts)) site[name] = await serve(how);
  });
  after(async () => {
    await site.browser?.close();
    for (const name of Object.keys(hosts)) site[name]?.server.close();
  });
  return site;
}

/// Closes a page and checks that it had no errors.
export async function end(page) {
  assert.deepEqual(page.errors, []);
  await page.context().close();
}

export const native = async (verb, body) => JSON.parse(await ask(verb, body));
/// The XWS text of a squad in profiles/squads.
export const xws = (name) => readFileSync(new URL(`../../../../profiles/squads/${name}.json`, import.meta.url), 'utf8');
