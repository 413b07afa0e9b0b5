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

const schemas = ["run", "advise", "worth", "order", "squad", "compare", "durability", "hazard", "names", "rules",
                 "luck", "review", "battle", "battle-worth", "gauntlet"];
const answers = `${here}/src/answers`;
await rm(answers, { recursive: true, force: true });
await mkdir(answers);
const lines = [];
for (const name of schemas) {
  const { title, ...schema } = await schemaOf(name);
  const type = `${name.split("-").map((part) => part[0].toUpperCase() + part.slice(1)).join("")}Answer`;
  await writeFile(`${answers}/${name}.ts`, await compile(schema, type, optionsOf(name)));
  lines.push(`export type { ${type} } from "./${name}.js";\n`);
}
/** Writes a type with one member for each named definition of a schema. */
async function membersOf(type, file, { $defs }, names, options) {
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  const all = { type: "object", properties, required: names, additionalProperties: false, $defs };
  await writeFile(`${answers}/${file}.ts`, await compile(all, type, options));
  lines.push(`export type { ${type} } from "./${file}.js";\n`);
}
const namesOf = ({ anyOf }) => anyOf.map(({ $ref }) => $ref.replace("#/$defs/", ""));
// The request bodies by verb.
const requests = await schemaOf("request");
await membersOf("Requests", "requests", requests, namesOf(requests), optionsOf("request"));
// The answers of `cards` by question, and the card in them.
const cards = JSON.parse(await readFile(`${root}/docs/cards-command.schema.json`, "utf8"));
const ofCards = { ...optionsOf("cards-command"), additionalProperties: false };
ofCards.bannerComment = "// Made by build.mjs from docs/cards-command.schema.json.";
await membersOf("CardsAnswers", "cards", cards, [...namesOf(cards), "card"], ofCards);
await writeFile(`${answers}/index.ts`, lines.join(""));

const dist = `${here}/dist`;
await rm(dist, { recursive: true, force: true });
execFileSync(process.execPath, [`${here}/node_modules/typescript/bin/tsc`, "-p", here], { stdio: "inherit" });
for (const name of ["salvo.js", "salvo.wasm", "salvo-further.js", "salvo-further.wasm"]) await cp(`${web}/web/engine/${name}`, `${dist}/${name}`);
await cp(`${native}/profiles-first.pack`, `${dist}/profiles.pack`);
await cp(`${native}/profiles-further.pack`, `${dist}/profiles-further.pack`);
await cp(`${root}/LICENSE`, `${here}/LICENSE`);
