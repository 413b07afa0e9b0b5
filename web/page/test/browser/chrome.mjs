// Debian's chromium, driven by playwright-core.
import { chromium } from 'playwright-core';

export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

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
  page.setDefaultTimeout(15_000);
  page.errors = errors;
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(base + hash);
  return page;
}

/// Until the answer on the page belongs to the question on the page.
export async function settled(page) {
  await page.waitForSelector('main[aria-busy="false"]', { timeout: 30_000 });
  await page.waitForTimeout(120);
  await page.waitForSelector('main[aria-busy="false"]', { timeout: 30_000 });
}

/// Until names of ships and cards are there.
export const named = (page) => page.waitForSelector('html[data-names]', { timeout: 30_000, state: 'attached' });
