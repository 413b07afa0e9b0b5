// Tests the package salvo-engine as users get it: packed, installed into an empty folder, used on Node and in Chromium.
// CHROMIUM: the browser to use (default /usr/bin/chromium).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const source = path.resolve(here, "../package");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const folder = mkdtempSync(path.join(os.tmpdir(), "salvo-engine-"));
const home = path.join(folder, "node_modules/salvo-engine");
const run = (program, words, options = {}) => execFileSync(program, words, { cwd: folder, encoding: "utf8", ...options });
/** Runs the text as a module in the folder of the installed package. */
function node(name, text) {
  writeFileSync(path.join(folder, name), text);
  return run(process.execPath, [name], { timeout: 120_000 });
}

before(() => {
  const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: source }));
  writeFileSync(path.join(folder, "package.json"), '{"private": true, "type": "module"}');
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", path.join(folder, filename)]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("the package has the files that it needs and no others", () => {
  const { version, dependencies, license, types, exports } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
  assert.deepEqual([dependencies, license], [undefined, "MIT"]);
  const cmake = readFileSync(path.resolve(here, "../../CMakeLists.txt"), "utf8");
  assert.equal(version, /project\(salvo VERSION ([\d.]+)/.exec(cmake)[1]);
  const paths = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(paths));
  for (const file of ["README.md", "LICENSE", types, ...paths(exports), "dist/salvo.wasm", "dist/salvo-further.wasm", "dist/profiles.pack", "dist/profiles-cards.pack", "dist/profiles-further.pack", "dist/node.d.ts", "dist/answers/run.d.ts"])
    assert.ok(existsSync(path.join(home, file)), file);
  assert.ok(!existsSync(path.join(home, "src")) && !existsSync(path.join(home, "node_modules")));
});

const examples = () => [...readFileSync(path.join(home, "README.md"), "utf8").matchAll(/^```js\n(.*?)^```/gms)].map((match) => match[1]);

test("the examples of its README run", () => {
  assert.equal(examples().length, 5);
  const printed = examples().map((text, i) => node(`example${i}.mjs`, text).trim().split("\n"));
  assert.match(printed[0][0], /^[\d.]+ [\d.]+$/);
  assert.ok(printed[1].length >= 2);
  assert.deepEqual(printed[3].map((line) => line.replace(/[\d.]+/, "N")), ["AbortError N", "AbortError"]);
  assert.match(printed[4][0], /^\S*focsu .*did you mean.* 2$/);
  assert.match(printed[4][1], /^1\.\d+$/);
});

test("its types describe questions and answers", () => {
  const tsc = path.join(source, "node_modules/typescript/bin/tsc");
  const words = [tsc, "--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--types", ""];
  const check = (text) => {
    writeFileSync(path.join(folder, "use.ts"), text);
    return run(process.execPath, [...words, "--lib", "es2022,dom", "use.ts"], { stdio: ["ignore", "pipe", "inherit"] });
  };
  const good = `import { answer, advise, type RunAnswer, SalvoError, createEngine, type Engine } from "salvo-engine";
    const report: RunAnswer = await answer({ attack: "3 focus", defend: "2", engine: "exact" });
    const mean: number = report.ships["d"]!.damage.mean;
    const engine: Engine = createEngine();
    const play: string = (await engine.ask("advise", { attack: "3", defend: "2", point: { rolled: "hit" } }, { signal: new AbortController().signal })).options[0]!.play;
    export const place = (error: SalvoError): string => error.place + mean + play;
    export { advise };`;
  check(good);
  for (const text of examples()) check(text);
  for (const [right, wrong] of [['engine: "exact"', 'engine: "exakt"'], [".damage.mean", ".damage.meen"], ["!.play", "!.plai"], ['"advise", {', '"advice", {']])
    assert.throws(() => check(good.replace(right, wrong)), (error) => error.status !== 0, wrong);
});

test("asks beside in a second worker where there are cores to spare", async () => {
  const { SplitEngine } = await import(pathToFileURL(path.join(home, "dist/client.js")).href);
  /** The answers to a battle that takes forever and one asked beside it; null: none yet. */
  const answersWith = async (cores) => {
    let workers = 0;
    const hostOf = (complete) => ({
      sources: { complete },
      start(hear) {
        const isFirst = complete && workers++ === 0;
        const post = (message) => queueMicrotask(() => ("load" in message ? hear({ ready: "1" }) : isFirst || hear({ id: message.id, status: 0, text: "{}" })));
        return { post, end() {} };
      },
    });
    const engine = new SplitEngine(hostOf, cores);
    const asked = [{}, { beside: true }].map((how) => engine.askText("battle", "{}", how).catch(() => null));
    await new Promise((done) => setTimeout(done, 20));
    engine.close();
    return { workers, texts: await Promise.all(asked) };
  };
  assert.deepEqual(await answersWith(4), { workers: 2, texts: [null, "{}"] });
  assert.deepEqual(await answersWith(2), { workers: 1, texts: [null, null] });
});

test("adds the parts of the profiles as questions need them", async () => {
  const { WorkerEngine } = await import(pathToFileURL(path.join(home, "dist/client.js")).href);
  const needs = { dice: 0, ships: 1, old: 2 }, fetched = [], added = [];
  const engine = new WorkerEngine({
    sources: { complete: false },
    further: async (at) => (fetched.push(at), new Uint8Array([at])),
    start(hear) {
      const take = (message) => {
        if ("load" in message) [{ loaded: {} }, { ready: "1" }].forEach(hear);
        else if ("further" in message) added.push(...message.further);
        else hear({ id: message.id, status: added.length < needs[message.verb] ? 5 : 0, text: "{}" });
      };
      return { post: (message) => queueMicrotask(() => take(message)), end() {} };
    },
  });
  for (const [verb, parts] of [["dice", []], ["ships", [0]], ["old", [0, 1]], ["dice", [0, 1]]]) {
    await engine.askText(verb, "{}");
    assert.deepEqual(added, parts, verb);
    assert.deepEqual(fetched, parts.length > 1 ? [0, 1] : [0], verb); // the cards are fetched without being asked for
  }
  engine.close();
});

test("does not fetch the cards that a worker has brought", async () => {
  const { WorkerEngine } = await import(pathToFileURL(path.join(home, "dist/client.js")).href);
  const fetched = [];
  const engine = new WorkerEngine({
    sources: { complete: false },
    further: async (at) => (fetched.push(at), new Uint8Array([at])),
    start(hear) {
      let parts = 1;
      const take = (message) => {
        if ("load" in message) [{ loaded: { further: [new Uint8Array([0])] } }, { ready: "1" }].forEach(hear);
        else if ("further" in message) ++parts;
        else hear({ id: message.id, status: parts < 2 ? 5 : 0, text: "{}" });
      };
      return { post: (message) => queueMicrotask(() => take(message)), end() {} };
    },
  });
  await engine.askText("old", "{}");
  assert.deepEqual(fetched, [1]);
  engine.close();
});

test("fetches anew what was no pack when a worker got it", async () => {
  const { WorkerEngine } = await import(pathToFileURL(path.join(home, "dist/client.js")).href);
  for (const early of [true, false]) {
    const [portal, pack] = [new Uint8Array([60]), new Uint8Array([1])];
    let workers = 0, fetched = 0, kill;
    const engine = new WorkerEngine({
      sources: { complete: false },
      further: async () => (fetched++ === 0 ? portal : pack),
      start(hear, lost) {
        ++workers;
        kill = lost;
        let has;
        const add = (part) => (part === pack ? (has = part) : hear({ failed: "no pack" }));
        const take = (message) => {
          if ("load" in message) [{ loaded: {} }, { ready: "1" }].forEach(hear);
          else if ("parts" in message) message.parts.further.forEach(add);
          else if ("further" in message) add(message.further);
          else if (message.verb !== "forever") hear({ id: message.id, status: has ? 0 : 5, text: "{}" });
        };
        return { post: (message) => queueMicrotask(() => take(message)), end() {} };
      },
    });
    if (early) {
      const asked = engine.askText("forever", "{}");
      await new Promise((done) => setImmediate(done)); // the part has come, too
      kill("the worker has died");
      await assert.rejects(asked, /has died/);
    }
    await assert.rejects(engine.askText("ships", "{}"), /no pack/);
    assert.equal(await engine.askText("ships", "{}"), "{}");
    assert.deepEqual([fetched, workers], [2, early ? 3 : 2]);
    engine.close();
  }
});

test("200 battles need no more memory than a few", async () => {
  const { Module } = await import(pathToFileURL(path.join(home, "dist/module.js")).href);
  const read = (name) => new Uint8Array(readFileSync(path.join(home, "dist", name)));
  const module = await Module.open({ module: await WebAssembly.compile(read("salvo-further.wasm")), complete: true, profiles: read("profiles.pack"), further: [read("profiles-cards.pack"), read("profiles-further.pack")] });
  const squads = ["lukeskywalker", "wedgeantilles", "darthvader", "soontirfel", "ship=tielnfighter", "ship=t65xwing"].map((id) => (id.includes("=") ? id : `pilot=${id}`));
  const sizes = [];
  for (let i = 0; i < 200; ++i) {
    const [mine, theirs] = [squads[i % squads.length], squads[Math.trunc(i / squads.length) % squads.length]];
    const body = { mine: [`${mine} hull=${3 + (i % 5)}`], theirs: [`${theirs} hull=${4 + (i % 7)}`], flight: "range-2", engine: "sample", trials: 20, sensitivity: false };
    const { status, text } = module.request("battle", JSON.stringify(body));
    assert.equal(status, 0, text);
    sizes.push(module.wasm.HEAPU8.length >> 20);
  }
  assert.ok(sizes[199] <= sizes[39] + 16, `${sizes[39]} MiB after 40 battles, ${sizes[199]} after 200`);
  assert.ok(sizes[199] < 160, `${sizes[199]} MiB`);
});

describe("the engine on Node", () => {
  let salvo, engine;
  before(async () => {
    salvo = await import(pathToFileURL(path.join(home, "dist/node.js")).href);
    engine = salvo.createEngine();
  });
  after(() => engine.close());
  const fight = { attack: ["3 focus"], defend: "2 evade" };
  const endless = { attack: ["3", "3"], defend: "3 focus", engine: "sample", trials: 1e15 };
  const fails = (promise, name) => assert.rejects(promise, { name });

  test("answers with the project's version", async () => {
    assert.equal(await engine.version(), JSON.parse(readFileSync(path.join(home, "package.json"), "utf8")).version);
  });

  test("reports errors with place, message and status", async () => {
    const error = await engine.ask("run", { ...fight, attack: ["3 focsu"] }).catch((caught) => caught);
    assert.ok(error instanceof salvo.SalvoError && error instanceof Error);
    assert.deepEqual([error.place, error.status], ["attack[0]", 2]);
    assert.match(error.message, /did you mean "?focus/);
    const large = await engine.ask("run", { ...fight, engine: "exact", budget: 1 }).catch((caught) => caught);
    assert.equal(large.status, 3);
    for (const body of ["", "{", '{"attack": 1e999}', "[".repeat(100_000), '"' + "x".repeat(1 << 20), "\u0000"])
      await fails(engine.askText("run", body), "SalvoError");
    await fails(engine.askText("walk", "{}"), "SalvoError");
    assert.ok((await engine.ask("run", fight)).value > 0);
  });

  test("cancels a running question and answers the next one", async () => {
    const stop = new AbortController();
    const heard = [];
    const long = engine.ask("run", endless, { signal: stop.signal, onProgress: (done, planned) => (heard.push([done, planned]), stop.abort()) });
    const waiting = engine.ask("run", fight);
    await fails(long, "AbortError");
    assert.equal(heard.length, 1);
    assert.equal(heard[0][1], 1e15);
    assert.ok((await waiting).value > 0);
    await fails(engine.ask("run", fight, { signal: AbortSignal.abort() }), "AbortError");
    // A cancelled question that is still waiting leaves the queue.
    const late = new AbortController();
    const [first, second] = [engine.ask("run", fight), engine.ask("run", fight, { signal: late.signal })];
    late.abort();
    await fails(second, "AbortError");
    assert.ok((await first).value > 0);
  });

  test("fetches older cards once, on demand, and passes them to a new worker", async () => {
    const old = { attack: "pilot=lukeskywalker focus", defend: "ship=tiefighter", rules: "first-edition" };
    const lazy = salvo.createEngine();
    const [first, second] = await Promise.all([lazy.ask("run", old), lazy.ask("run", { ...fight, cards: "2025" })]);
    assert.ok(first.value > 0 && second.value > 0);
    const stop = new AbortController();
    await fails(lazy.ask("run", endless, { signal: stop.signal, onProgress: () => stop.abort() }), "AbortError");
    assert.equal((await lazy.ask("run", old)).value, first.value);
    lazy.close();
    // If they cannot be loaded, only the questions that need them fail.
    const poor = salvo.createEngine({ further: new URL("file:///nowhere/further.pack") });
    const error = await poor.ask("run", old).catch((caught) => caught);
    assert.ok(error instanceof salvo.SalvoError);
    assert.deepEqual([error.status, /cannot be loaded/.test(error.message)], [4, true]);
    assert.ok((await poor.ask("run", fight)).value > 0);
    poor.close();
  });

  test("asks the complete module where rational arithmetic decides whether cards would pay for each other forever", async () => {
    const card = (id, pays, n, gains) => `id = "${id}"\nkind = "upgrade"\n\n[[effect]]\nside = "attacker"\nat = "attack-mod"\nmay = true\nrepeats = true\ncost = [{ token = "${pays}", n = ${n} }]\ndo = [{ verb = "gain", token = "${gains}" }]\n`;
    const asked = (n) => ({ attack: "3 focus giver taker", defend: "2", card: [card("giver", "focus", 1, "evade"), card("taker", "evade", n, "focus")] });
    const error = await engine.ask("run", asked(1)).catch((caught) => caught);
    assert.match(error.message, /never end/);
    assert.equal(error.status, 2);
    assert.ok((await engine.ask("run", asked(2))).value > 0);
  });

  test("tells what a damage deck would add when asked", async () => {
    const asked = { attack: "3 focus lock", defend: "2 focus hull=4" };
    const { damage_deck: deck, ...rest } = await engine.ask("run", { ...asked, would_add: true });
    assert.ok(deck.core_would_add.d > 0);
    assert.deepEqual(await engine.ask("run", asked), rest);
  });

  test("answers only the newest question of a name", async () => {
    const asked = ["1", "2", "3", "4"].map((dice) => engine.ask("run", { attack: dice, defend: "1" }, { latest: "typing" }));
    const other = engine.ask("run", fight, { latest: "other" });
    const results = await Promise.allSettled(asked);
    assert.deepEqual(results.map((one) => one.status), ["rejected", "rejected", "rejected", "fulfilled"]);
    assert.ok(results.slice(0, 3).every((one) => one.reason.name === "AbortError"));
    assert.ok((await other).value > 0);
    const running = engine.ask("run", endless, { latest: "typing" });
    await new Promise((done) => setTimeout(done, 50));
    const newest = engine.ask("run", fight, { latest: "typing" });
    await fails(running, "AbortError");
    assert.ok((await newest).value > 0);
  });

  test("samples a game that exceeds its memory, and says so", async () => {
    const attack = ["3 focus", "3 focus", "3 lock", "2 focus", "3 lock"];
    const huge = { attack, defend: "2 focus evade hull=9", damage_deck: "core", objective: "kill", budget: 1e9, trials: 20_000 };
    const report = await engine.ask("run", huge);
    assert.equal(report.engine, "sample");
    assert.match(report.engine_reason, /memory/);
    await assert.rejects(engine.ask("run", { ...huge, engine: "exact" }), { name: "SalvoError", status: 3, message: /memory/ });
    assert.ok((await engine.ask("run", fight)).value > 0);
    delete huge.budget; // the default budget must lead to sampling, too
    assert.equal((await engine.ask("run", huge)).engine, "sample");
  });

  test("rejects all calls after close()", async () => {
    const shut = salvo.createEngine();
    shut.close();
    await fails(shut.version(), "AbortError");
    await fails(shut.ask("run", fight), "Error");
  });

  test("does not keep a program alive after its last answer", () => {
    const text = `import { answer } from "salvo-engine";
      console.log((await answer({ attack: "3", defend: "2" })).value > 0);`;
    assert.equal(node("ends.mjs", text).trim(), "true");
  });

  test("reports files that are missing or damaged", async () => {
    const lost = salvo.createEngine({ profiles: "/no/such/profiles.pack" });
    await assert.rejects(lost.ask("run", fight), { name: "SalvoError", status: 4, message: /cannot be loaded.*no such file/i });
    lost.close();
    await fails(lost.ask("run", fight), "Error");
    const broken = salvo.createEngine({ profiles: path.join(home, "package.json") });
    await assert.rejects(broken.ask("run", fight), { message: /not a pack of this version/ });
    broken.close();
  });
});

describe("a worker that is still starting", () => {
  /** An engine with fake workers: each records what is posted to it, and its hear() passes a message to the engine. */
  async function withWorkers() {
    const { WorkerEngine } = await import(pathToFileURL(path.join(home, "dist/client.js")).href);
    const workers = [];
    const start = (hear) => {
      const worker = { hear, posted: [], ended: false };
      workers.push(worker);
      return { post: (message) => worker.posted.push(message), end: () => (worker.ended = true) };
    };
    const engine = new WorkerEngine({ sources: {}, further: async () => new Uint8Array(), start });
    return { engine, workers };
  }
  const text = (id) => ({ id, status: 0, text: `${id}` });

  test("is sent a question before it is ready", async () => {
    const { engine, workers } = await withWorkers();
    const asked = [engine.askText("run", "{}"), engine.askText("run", "{}")];
    await new Promise((done) => setImmediate(done));
    assert.deepEqual(workers[0].posted.map((message) => Object.keys(message)[0]), ["load", "id"]);
    for (const message of [{ ready: "1" }, text(1), text(2)]) workers[0].hear(message);
    assert.deepEqual(await Promise.all(asked), ["1", "2"]);
    engine.close();
  });

  test("is terminated only if it does not soon finish a cancelled question", async () => {
    for (const quick of [true, false]) {
      const { engine, workers } = await withWorkers();
      const stop = new AbortController();
      const dropped = engine.askText("run", "{}", { signal: stop.signal });
      await new Promise((done) => setImmediate(done));
      stop.abort();
      await assert.rejects(dropped, { name: "AbortError" });
      const next = engine.askText("run", "{}");
      workers[0].hear({ ready: "1" });
      assert.equal(workers[0].posted.length, 2);
      if (quick) workers[0].hear(text(1));
      else while (workers.length < 2) await new Promise((done) => setTimeout(done, 10));
      await new Promise((done) => setImmediate(done));
      assert.equal(workers[0].ended, !quick);
      const worker = workers.at(-1);
      assert.equal(worker.posted.at(-1).id, 2);
      worker.hear({ ready: "1" });
      worker.hear(text(2));
      assert.equal(await next, "2");
      engine.close();
    }
  });
});

describe("the engine in Chromium", { skip: !existsSync(chromium) && `no ${chromium}` }, () => {
  const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
  const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
  let server, browser, page;
  const complaints = [];
  before(async () => {
    writeFileSync(path.join(folder, "page.html"), '<!doctype html><title>salvo</title><script type="module" src="page.js"></script>');
    writeFileSync(path.join(folder, "page.js"), 'import * as salvo from "./node_modules/salvo-engine/dist/browser.js"; window.salvo = salvo;');
    server = createServer((request, response) => {
      const file = path.join(folder, path.normalize(new URL(request.url, "http://localhost").pathname));
      if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end();
      response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream", "Content-Security-Policy": POLICY });
      response.end(readFileSync(file));
    });
    await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
    const playwright = createRequire(path.join(source, "package.json"))("playwright-core");
    const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
    browser = await playwright.chromium.launch({ executablePath: chromium, args });
    page = await browser.newPage();
    page.on("console", (message) => message.type() === "error" && !message.text().includes("favicon") && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
    await page.waitForFunction(() => window.salvo !== undefined);
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  test("gives the same bytes as on Node, under a strict policy", async () => {
    const { createEngine } = await import(pathToFileURL(path.join(home, "dist/node.js")).href);
    const engine = createEngine();
    const questions = [
      ["run", { attack: ["3 focus lock", "2"], defend: "Luke Skywalker focus" }],
      ["run", { attack: "3 focus", defend: "3 evade", engine: "sample", trials: 200_000, seed: 5 }],
      ["advise", { attack: "3 focus", defend: "2", point: { rolled: "hit focus blank" } }],
      ["cards", { show: "predator" }],
      ["ships", { words: "wing" }],
    ];
    const onNode = await Promise.all(questions.map(([verb, body]) => engine.askText(verb, body)));
    engine.close();
    const inChromium = await page.evaluate((all) => {
      window.engine ??= window.salvo.createEngine();
      return Promise.all(all.map(([verb, body]) => window.engine.askText(verb, body)));
    }, questions);
    assert.deepEqual(inChromium, onNode);
  });

  test("cancels and reports errors as on Node", async () => {
    const names = await page.evaluate(async () => {
      const endless = { attack: ["3", "3"], defend: "3 focus", engine: "sample", trials: 1e15 };
      const stop = new AbortController();
      const heard = [];
      const long = window.engine.ask("run", endless, { signal: stop.signal, onProgress: (done) => (heard.push(done), stop.abort()) });
      const ended = await long.catch((error) => error.name);
      const wrong = await window.engine.ask("run", { attack: "x", defend: "2" }).catch((error) => [error.name, error.status]);
      const { value } = await window.salvo.answer({ attack: "3", defend: "2" });
      return [ended, heard.length, wrong, value > 0];
    });
    assert.deepEqual(names, ["AbortError", 1, ["SalvoError", 2], true]);
    assert.deepEqual(complaints, []);
  });

  /** What a page of the folder shows once its script has an answer. */
  async function shown(name, html) {
    if (html) writeFileSync(path.join(folder, name), html);
    await page.goto(`http://127.0.0.1:${server.address().port}/${name}`);
    await page.waitForFunction(() => document.title !== "waiting");
    assert.deepEqual(complaints, []);
    return page.title();
  }
  const ask = (salvo) => `${salvo}.answer({ attack: "3", defend: "0" })
    .then((report) => document.title = report.ships.d.damage.mean, (error) => document.title = error);`;
  const mean = "1.5"; // each of three attack dice hits with 4/8

  test("loads from script tags, without a bundler", async () => {
    writeFileSync(path.join(folder, "module.js"), `import * as salvo from "./node_modules/salvo-engine/dist/browser.js"; ${ask("salvo")}`);
    assert.equal(await shown("module.html", '<!doctype html><title>waiting</title><script type="module" src="module.js"></script>'), mean);
    writeFileSync(path.join(folder, "plain.js"), `import("./node_modules/salvo-engine/dist/browser.js").then((salvo) => ${ask("salvo").replace(/;$/, "")});`);
    assert.equal(await shown("plain.html", '<!doctype html><title>waiting</title><script src="plain.js"></script>'), mean);
  });

  const vite = path.resolve(here, "../page/node_modules/vite/bin/vite.js");
  test("is bundled by Vite", { skip: !existsSync(vite) && "the page's packages are not installed" }, async () => {
    const app = path.join(folder, "app");
    mkdirSync(app);
    writeFileSync(path.join(app, "index.html"), '<!doctype html><title>waiting</title><script type="module" src="main.js"></script>');
    writeFileSync(path.join(app, "main.js"), `import * as salvo from "salvo-engine"; ${ask("salvo")}`);
    run(process.execPath, [vite, "build", "--base", "./", "--logLevel", "error"], { cwd: app, timeout: 120_000 });
    assert.ok(readdirSync(path.join(app, "dist/assets")).some((name) => name.endsWith(".wasm")));
    assert.equal(await shown("app/dist/index.html"), mean);
  });
});
