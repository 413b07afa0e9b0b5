// Helpers for the user's actions on the page.
import { settled } from './chrome.mjs';

export const percent = (chance) => `${(100 * chance).toFixed(1)} %`;
export const number = (value, digits = 2) => value.toFixed(digits);

/// Types into a field with completion and picks a choice.
export async function pick(scope, field, text, choice) {
  const input = scope.getByRole('combobox', { name: field, exact: true });
  await input.click();
  await input.fill(text);
  await input.page().getByRole('option', { name: choice }).first().click();
}

export const give = (card, token) => card.getByRole('button', { name: new RegExp(`^${token}( \\d+)?: add one$`) }).click();
export const lock = (card) => card.getByRole('button', { name: 'lock', exact: true }).click();
export const range = (card, value) => card.getByRole('radiogroup', { name: 'range' }).getByRole('radio', { name: String(value), exact: true }).click();
export const shot = (page, n) => page.locator('.shots > li').nth(n - 1);
export const target = (page) => page.locator('section.card.defense').first();
export const go = (page, view) => page.getByRole('navigation').getByRole('link', { name: view, exact: true }).click();

export async function headline(page) {
  await settled(page);
  return page.locator('.headline').innerText();
}

/// The share of a processor that this process gets on a busy machine, from 0 to 1.
export function processorShare() {
  const enough = 20_000;
  const [begin, before] = [performance.now(), process.cpuUsage()];
  let used = 0;
  while (used < enough) {
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  return Math.min(1, used / 1000 / (performance.now() - begin));
}
