// Debian's chromium, driven by playwright-core.
import { chromium } from 'playwright-core';

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

/// How long a test waits for what has to come, in milliseconds: machines can be slow and busy.
export const patience = 60_000;

/// How many times slower than this machine the page is made to run: 6 to 20 finds what a test takes for granted.
const slower = Number(process.env.SALVO_WEB_SLOWER ?? 1);

/// A page of its own (storage, history) that fails the test on any error of the page's.
export async function open(browser, base, { size = 'desktop', hash = '', theme = 'dark', errors = [], ...more } = {}) {
  const context = await browser.newContext({
    viewport: sizes[size],
    deviceScaleFactor: 1,
    colorScheme: theme,
    hasTouch: size === 'phone',
    isMobile: size === 'phone',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...more,
  });
  const page = await context.newPage();
  if (slower > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slower });
  page.setDefaultTimeout(patience);
  page.errors = errors;
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(base + hash);
  return page;
}

/// Until what was done to the page is drawn.
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

/// Until the answer on the page belongs to the question on the page.
export async function settled(page) {
  await page.waitForSelector('main');
  // What follows an answer can ask once more.
  for (let i = 0; i < 2; ++i) {
    await drawn(page);
    await page.waitForFunction(() => document.querySelector('main[aria-busy="false"]') && !document.querySelector('[aria-busy="true"]'));
  }
}

/// Until names of ships and cards are there.
export const named = (page) => page.waitForSelector('html[data-names]', { state: 'attached' });
