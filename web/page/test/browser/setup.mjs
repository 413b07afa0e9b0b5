// What the tests of the page begin and end with: a browser, the page with the native program behind it, and what that program answers.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { readFileSync } from 'node:fs';
import { ask, serve } from '../bridge.mjs';
import { launch, open } from './chrome.mjs';

/// A browser and a host, there from before the tests of a file until after them; `further` hosts by name, as serve() takes them.
export function setUp(further = {}) {
  const hosts = { host: {}, ...further };
  const site = {
    /// A page of its own, of the host of that name; other options as open() takes them.
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

/// Closes a page on which nothing went wrong.
export async function end(page) {
  assert.deepEqual(page.errors, []);
  await page.context().close();
}

export const native = async (verb, body) => JSON.parse(await ask(verb, body));
/// The text of a squad of the profiles.
export const xws = (name) => readFileSync(new URL(`../../../../profiles/squads/${name}.json`, import.meta.url), 'utf8');
