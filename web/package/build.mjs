// Builds dist/: types from docs/schemas, JavaScript from src, the module and the profiles.
// Arguments: the build directories of the module and of the pack (scripts/web passes both).
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { compile } from "json-schema-to-typescript";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
const [web = `${root}/build/web`, native = `${root}/build/release`] = process.argv.slice(2);

const project = /project\(salvo VERSION ([\d.]+)/.exec(await readFile(`${root}/CMakeLists.txt`, "utf8"))?.[1];
const { version } = JSON.parse(await readFile(`${here}/package.json`, "utf8"));
if (version !== project) throw new Error(`package.json has version ${version}, CMakeLists.txt ${project}; write the same`);

const bannerOf = (name) => `// Made by build.mjs from docs/schemas/${name}.schema.json.`;
const schemaOf = async (name) => JSON.parse(await readFile(`${root}/docs/schemas/${name}.schema.json`, "utf8"));
const optionsOf = (name) => ({ bannerComment: bannerOf(name), cwd: `${root}/docs/schemas/`, format: false });

const answers = `${here}/src/answers`;
await rm(answers, { recursive: true, force: true });
await mkdir(answers);
const typeOf = (name) => `${name.split("-").map((part) => part[0].toUpperCase() + part.slice(1)).join("")}Answer`;
const namesOf = ({ anyOf }) => anyOf.map(({ $ref }) => $ref.replace("#/$defs/", ""));
const files = new Map(); // the exported types by name, with their files
/** Writes the type that a schema describes. */
async function write(type, file, schema, options) {
  await writeFile(`${answers}/${file}.ts`, await compile(schema, type, options));
  files.set(type, file);
}
/** Writes a type with one member for each named definition of a schema. */
async function writeMembers(type, file, { $defs }, names, options) {
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  await write(type, file, { type: "object", properties, required: names, additionalProperties: false, $defs }, options);
}

// The request bodies by verb, and the answers.
const requests = await schemaOf("request");
const verbs = namesOf(requests);
const answersOf = (verb) => requests.$defs[verb]["x-answers"];
await writeMembers("Requests", "requests", requests, verbs, optionsOf("request"));
for (const name of new Set(verbs.flatMap(answersOf))) {
  const { title, ...schema } = await schemaOf(name);
  await write(typeOf(name), name, schema, optionsOf(name));
}
// The answers of `cards` by question, and the card in them.
const cards = JSON.parse(await readFile(`${root}/docs/cards-command.schema.json`, "utf8"));
const ofCards = { ...optionsOf("cards-command"), additionalProperties: false };
ofCards.bannerComment = "// Made by build.mjs from docs/cards-command.schema.json.";
await writeMembers("CardsAnswers", "cards", cards, [...namesOf(cards), "card"], ofCards);

const banner = "// Made by build.mjs from docs/schemas/request.schema.json.\n";
const typeOfAnswer = (verb) => answersOf(verb).map(typeOf).join(" | ") || 'CardsAnswers[Exclude<keyof CardsAnswers, "card">]';
await writeFile(`${answers}/index.ts`, [
  banner,
  ...[...files].map(([type, file]) => `import type { ${type} } from "./${file}.js";\n`),
  `export type { ${[...files.keys()].join(", ")} };\n`,
  "/** The answers by verb. */\nexport interface AnswersOf {\n",
  ...verbs.map((verb) => `  ${verb}: ${typeOfAnswer(verb)};\n`),
  "}\n",
].join(""));
await writeFile(`${answers}/functions.ts`, [
  banner,
  'import { asks } from "../shared.js";\n',
  ...verbs.map((verb) => `/** ${requests.$defs[verb].description} */\nexport const ${verb} = asks("${verb}");\n`),
].join(""));

const dist = `${here}/dist`;
await rm(dist, { recursive: true, force: true });
execFileSync(process.execPath, [`${here}/node_modules/typescript/bin/tsc`, "-p", here], { stdio: "inherit" });
for (const name of ["salvo.js", "salvo.wasm", "salvo-further.js", "salvo-further.wasm"]) await cp(`${web}/web/engine/${name}`, `${dist}/${name}`);
await cp(`${native}/profiles-first.pack`, `${dist}/profiles.pack`);
for (const name of ["cards", "further"]) await cp(`${native}/profiles-${name}.pack`, `${dist}/profiles-${name}.pack`);
await cp(`${root}/LICENSE`, `${here}/LICENSE`);
