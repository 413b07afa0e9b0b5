// measure.mjs SALVO PACKAGE PAGE [--check]: compares the page and its engine in WebAssembly with the native program: bytes over the
// wire, the first answer and where its time goes, warm answers, sampling. PAGE: the folder of the built page. --check: fails if there
// are more bytes than docs/page.md promises.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const [salvo, folder, pageFolder, check] = process.argv.slice(2);
const dist = path.resolve(folder, "dist");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const ROUNDS = 9;
const TIMEOUT_MS = 120_000; // machines can be busy
const WINDOW_MS = 1000;
const MOST_BYTES = 750_000;

const attack = (i) => ({ attack: `3 focus lock`, defend: `3 evade hull=${3 + (i % 5)} shields=${1 + (i % 7)}`, objective: i % 2 ? "kill" : "damage" });
const trials = { attack: ["3 focus", "3 lock"], defend: "3 evade hull=3", engine: "sample", trials: 1_000_000 };
// Four against four, with as many battles as the page asks for one after another: the last is within half a point.
const fight = {
  mine: ["pilot=lukeskywalker r2astromech protontorpedoes", "pilot=wedgeantilles predator protontorpedoes", "pilot=redsquadronveteran x2"],
  theirs: ["pilot=darthvader firecontrolsystem", "pilot=soontirfel predator", "pilot=obsidiansquadronpilot x2"],
  engine: "sample",
  sensitivity: false,
};
const fights = [20, 500, 10_000].map((trials) => ({ ...fight, trials }));
const least = (values) => Math.min(...values);
const middle = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

// ---- Bytes

const packed = (bytes) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } });
const served = new Map();
const serve = (prefix, home, files) => {
  for (const file of files) served.set(`${prefix}${file}`, packed(readFileSync(path.join(home, file))));
};
// The page, and the package by itself, whose engine gives the warm answers.
const listed = readdirSync(pageFolder, { recursive: true, withFileTypes: true });
const isCopy = ({ name }) => /\.(br|gz)$/.test(name); // compressed by a preview
const files = listed.filter((entry) => entry.isFile() && !isCopy(entry)).map((entry) => path.relative(pageFolder, path.join(entry.parentPath ?? entry.path, entry.name)));
serve("/", pageFolder, files);
served.set("/", served.get("/index.html"));
served.delete("/index.html");
// What few questions need is fetched on demand.
const isFurther = (name) => name.includes("-further");
const ofPage = [...served].filter(([name]) => !isFurther(name));
serve("/package/", dist, readdirSync(dist, { recursive: true }).filter((name) => /\.(js|wasm|pack)$/.test(name) && !/node/.test(name)));
served.set("/package/", packed(Buffer.from('<!doctype html><title>salvo</title><script type="module" src="page.js"></script>')));
served.set("/package/page.js", packed(Buffer.from(`
  import { createEngine } from "./browser.js";
  window.engine = createEngine();
`)));

// ---- Native

const ms = (start) => Number(process.hrtime.bigint() - start) / 1e6;
function nativeFirst(verb = "run", body = attack(0)) {
  const start = process.hrtime.bigint();
  execFileSync(salvo, ["request", verb, "-"], { input: JSON.stringify(body) });
  return ms(start);
}
/** Milliseconds of each question. The next one is sent when the previous one has been answered. */
async function nativeWarm(bodies) {
  const child = spawn(salvo, ["batch", "--threads", "1"], { stdio: ["pipe", "pipe", "inherit"] });
  const times = [];
  let heard;
  child.stdout.on("data", (bytes) => bytes.includes(10) && heard?.());
  for (const body of bodies) {
    const start = process.hrtime.bigint();
    const answered = new Promise((resolve) => (heard = resolve));
    child.stdin.write(`${JSON.stringify(body)}\n`);
    await answered;
    times.push(ms(start));
  }
  child.stdin.end();
  return times;
}

// ---- Chromium

const server = createServer((request, response) => {
  const name = new URL(request.url, "http://localhost").pathname;
  if (!served.has(name)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": TYPES[path.extname(name) || ".html"] ?? "application/octet-stream", "Content-Encoding": "br" });
  response.end(served.get(name));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}/`;

const answers = [...Array(40).keys()].map(attack);
const web = { first: [], warm: [], play: [] };
const phases = { script: [], engine: [] };
const native = { first: [], warm: [], play: [] };
if (!existsSync(chromium)) throw new Error(`no ${chromium}; run scripts/install_packages web`);
const playwright = createRequire(path.resolve(folder, "package.json"))("playwright-core");
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const browser = await playwright.chromium.launch({ executablePath: chromium, args });
/** Records when the page shows the answer, in milliseconds since the navigation started. */
const watch = () => {
  const look = () => {
    if (window.answered === undefined && /\d %/.test(document.querySelector(".headline")?.textContent ?? "")) window.answered = performance.now();
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
};
for (let round = 0; round < ROUNDS; ++round) {
  native.first.push(nativeFirst());
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.addInitScript(watch);
  // A visitor's browser is already open. This one first loads internal pages, so wait until they are done.
  await new Promise((done) => setTimeout(done, WINDOW_MS));
  await page.goto(`${address}#v1/attack?a=3~f1l1&d=3~e1,hull=3,shields=1`);
  await page.waitForFunction(() => window.answered !== undefined);
  const times = await page.evaluate(() => {
    const end = (part) => Math.max(...performance.getEntriesByType("resource").filter((one) => part.test(one.name)).map((one) => one.responseEnd));
    return { answered: window.answered, script: end(/page-.*\.js$/), origin: performance.timeOrigin };
  });
  times.engine = await page.workers()[0].evaluate(
    (origin) =>
      Math.max(...performance.getEntriesByType("resource").filter((one) => /\.(wasm|pack)$/.test(one.name)).map((one) => one.responseEnd)) + performance.timeOrigin - origin,
    times.origin,
  );
  web.first.push(times.answered);
  for (const phase of Object.keys(phases)) phases[phase].push(times[phase]);
  await context.close();
}
const context = await browser.newContext();
const page = await context.newPage();
page.setDefaultTimeout(TIMEOUT_MS);
await page.goto(`${address}package/`);
await page.waitForFunction(() => window.engine !== undefined);
const timed = (bodies, verb = "run") =>
  page.evaluate(async ([all, verb]) => {
    const times = [];
    for (const body of all) {
      const start = performance.now();
      await window.engine.askText(verb, body);
      times.push(performance.now() - start);
    }
    return times;
  }, [bodies, verb]);
await timed(answers);
// New questions about ships and cards that are already loaded.
web.warm = await timed(answers.map((body) => ({ ...body, attack: "3 focus lock calculate" })));
web.play = await timed([1, 2, 3, 4].map((seed) => ({ ...trials, seed })));
await timed([{ show: "predator" }], "cards"); // as the page does when the view is opened, so that the complete engine is there
web.fights = await timed(fights, "battle");
native.fights = fights.map((body) => nativeFirst("battle", body));
await browser.close();
server.close();
const warm = await nativeWarm([...answers, ...answers.map((body) => ({ ...body, attack: "3 focus lock calculate" }))].map((body) => scenarioOf(body)));
native.warm = warm.slice(answers.length);
native.play = await nativeWarm([1, 2, 3, 4].map((seed) => ({ ...scenarioOf(trials), engine: "sample", trials: 1_000_000, seed })));

/** Expands SPECs to ships, since `salvo batch` does not take SPECs. */
function scenarioOf({ attack, defend, objective }) {
  const ship = (spec) => {
    const [first, ...words] = spec.split(" ");
    const keys = { tokens: {} };
    for (const word of words) {
      const [name, value] = word.split("=");
      if (name === "hull" || name === "shields") keys[name] = Number(value);
      else keys.tokens[name] = name === "lock" ? ["d1"] : 1;
    }
    return [Number(first), keys];
  };
  const ships = {};
  const attacks = [attack].flat().map((spec, i) => {
    const [dice, keys] = ship(spec);
    ships[`a${i + 1}`] = { ...keys, attack: dice };
    return { by: `a${i + 1}`, on: "d1" };
  });
  const [dice, keys] = ship(defend);
  ships.d1 = { ...keys, agility: dice };
  return { ships, attacks, ...(objective && { objective }) };
}

// ---- Results and budgets

const sum = (parts) => parts.reduce((all, [, part]) => all + part.length, 0);
const bytes = sum(ofPage);
const part = (name, further = false) =>
  sum([...served].filter(([file]) => file.startsWith("/assets/") && name.test(file) && isFurther(file) === further));
const engine = part(/\.wasm$/), profiles = part(/\.pack$/), cards = part(/profiles-cards[^/]*\.pack$/);
const load = os.loadavg()[0] / os.cpus().length;
const rows = [
  ["first visit, bytes, brotli", bytes, null, MOST_BYTES],
  ["  until the first answer", bytes - cards, null, null],
  ["  the engine", engine, null, null],
  ["  profiles", profiles, null, null],
  ["  the page", bytes - engine - profiles, null, null],
  ["the complete engine, when asked for", part(/\.(wasm|js)$/, true), null, null],
  ["older cards, when asked for", part(/\.pack$/, true), null, null],
  [`first answer, ms (least of ${ROUNDS})`, least(web.first), least(native.first), 300],
  ["  the page's script is there after", least(phases.script), null, null],
  ["  engine and profiles are there after", least(phases.engine), null, null],
  ["first answer, ms (middle)", middle(web.first), middle(native.first), null],
  ["warm answer, ms (least of 40)", least(web.warm), least(native.warm), 3],
  ["warm answer, ms (middle)", middle(web.warm), middle(native.warm), null],
  ["1,000,000 trials, ms (least of 4)", least(web.play), least(native.play), null],
  ["four against four, first win chance, ms", web.fights[0], native.fights[0], 1000],
  ["  within half a point, ms", web.fights.reduce((a, b) => a + b), native.fights[2], 5000],
];
const show = (x) => (x === null ? "" : x >= 1000 ? Math.round(x).toLocaleString("en") : x.toFixed(2));
console.log(`${"".padEnd(40)}${"web".padStart(10)}${"native".padStart(10)}${"at most".padStart(10)}`);
let over = 0;
for (const [name, here, there, most] of rows) {
  console.log(`${name.padEnd(40)}${show(here).padStart(10)}${show(there).padStart(10)}${show(most).padStart(10)}`);
  if (most !== null && here > most) over += 1;
}
console.log(`load of the machine: ${load.toFixed(1)} a core; ${over} of these are more than they should be`);
// Times depend on the load of the machine, so only the bytes decide.
if (check === "--check" && bytes > MOST_BYTES) {
  console.error(`${bytes} bytes are more than ${MOST_BYTES}`);
  process.exit(1);
}
