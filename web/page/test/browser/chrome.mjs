// Debian's chromium, driven by playwright-core.
import { chromium } from 'playwright-core';

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

/// The timeout of all waits in milliseconds. It is long, since machines can be slow and busy.
export const patience = 60_000;

/// The factor by which Chromium slows down the page. Values of 6 to 20 expose tests that depend on speed.
const slower = Number(process.env.SALVO_WEB_SLOWER ?? 1);

/// Opens a page with its own storage and history. Its errors are collected in `page.errors`.
export async function open(browser, base, { size = 'desktop', hash = '#v1/attack', theme = 'dark', errors = [], ...more } = {}) {
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

/// Waits until the last change has been drawn.
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

/// Waits until the page shows the answer to its current question.
export async function settled(page) {
  await page.waitForSelector('main');
  // An answer can trigger another request.
  for (let i = 0; i < 2; ++i) {
    await drawn(page);
    await page.waitForFunction(() => document.querySelector('main[aria-busy="false"]') && !document.querySelector('[aria-busy="true"]'));
  }
}

/// Waits until the names of ships and cards are loaded.
export const named = (page) => page.waitForSelector('html[data-names]', { state: 'attached' });
