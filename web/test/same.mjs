// same.mjs SALVO PACKAGE [EVERY]: compares the engine in WebAssembly with the native program. The answers and errors of the hundreds of
// questions of questions.py must be equal byte for byte. PACKAGE: the folder of the built package.
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { pathToFileURL } from "node:url";
import path from "node:path";
import os from "node:os";

const [salvo, folder, every = "1"] = process.argv.slice(2);
const { createEngine } = await import(pathToFileURL(path.resolve(folder, "dist/node.js")).href);
const questions = execFileSync("python3", [path.join(import.meta.dirname ?? path.dirname(process.argv[1]), "questions.py"), every], {
  maxBuffer: 1 << 28,
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

/** The text without the equilibrium of a gauntlet: GLPK, which computes it, is not in WebAssembly. */
function comparable(verb, text) {
  if (verb !== "gauntlet") return text;
  const leftOut = (key, value) => (key === "mix" ? undefined : Array.isArray(value) ? value.filter((one) => !/GLPK/.test(one)) : value);
  return JSON.stringify({ notes: [], ...JSON.parse(text, leftOut) });
}

/** Returns the status and the output of `salvo request`. */
function native({ verb, body }) {
  return new Promise((resolve) => {
    const child = execFile(salvo, ["request", verb, "-"], { maxBuffer: 1 << 28 }, (error, stdout) =>
      resolve({ status: error === null ? 0 : error.code, text: comparable(verb, stdout) }),
    );
    child.stdin.end(JSON.stringify(body));
  });
}

const engine = createEngine();

async function web({ verb, body }) {
  try {
    return { status: 0, text: comparable(verb, await engine.askText(verb, JSON.stringify(body))) };
  } catch (error) {
    if (error.name !== "SalvoError") throw error;
    return { status: error.status, place: error.place, message: error.message };
  }
}

function difference(expected, actual) {
  if (expected.status !== actual.status) return `status ${expected.status} and ${actual.status}`;
  if (expected.status !== 0) {
    const { place, message } = JSON.parse(expected.text).error;
    return place === actual.place && message === actual.message ? null : `${place}: ${message}\n  ${actual.place}: ${actual.message}`;
  }
  if (expected.text === actual.text) return null;
  let at = 0;
  while (expected.text[at] === actual.text[at]) ++at;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `at byte ${at}:\n  ${near(expected.text)}\n  ${near(actual.text)}`;
}

let wrong = 0;
let next = 0;
const count = {};
async function work() {
  while (next < questions.length) {
    const question = questions[next++];
    const [expected, actual] = await Promise.all([native(question), web(question)]);
    count[question.verb] = (count[question.verb] ?? 0) + 1;
    const what = difference(expected, actual);
    if (what === null) continue;
    if (++wrong <= 20) console.log(`${question.verb} ${JSON.stringify(question.body).slice(0, 600)}\n  ${what}`);
  }
}
await Promise.all(Array.from({ length: Math.min(2, os.cpus().length) }, work));
engine.close();
console.log(
  `${questions.length} questions, ${wrong} with answers that differ from the native program's:`,
  Object.entries(count).map(([verb, n]) => `${verb} ${n}`).join(", "),
);
process.exit(wrong === 0 && questions.length >= 300 ? 0 : 1);
