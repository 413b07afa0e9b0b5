// Builds dist/: the types of answers from docs/schemas, JavaScript from src, and beside it the module and the profiles.
// Arguments: the build directory of the module, that of the pack (scripts/web gives both).
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

const schemas = ["run", "advise", "worth", "order", "squad", "compare", "durability", "hazard", "names", "rules"];
const answers = `${here}/src/answers`;
await rm(answers, { recursive: true, force: true });
await mkdir(answers);
const lines = [];
for (const name of schemas) {
  const { title, ...schema } = await schemaOf(name);
  const type = `${name[0].toUpperCase()}${name.slice(1)}Answer`;
  await writeFile(`${answers}/${name}.ts`, await compile(schema, type, optionsOf(name)));
  lines.push(`export type { ${type} } from "./${name}.js";\n`);
}
// The bodies of requests, by verb.
const { $defs, anyOf } = await schemaOf("request");
const verbs = anyOf.map(({ $ref }) => $ref.replace("#/$defs/", ""));
const properties = Object.fromEntries(verbs.map((verb) => [verb, { $ref: `#/$defs/${verb}` }]));
const requests = { type: "object", properties, required: verbs, additionalProperties: false, $defs };
await writeFile(`${answers}/requests.ts`, await compile(requests, "Requests", optionsOf("request")));
lines.push('export type { Requests } from "./requests.js";\n');
await writeFile(`${answers}/index.ts`, lines.join(""));

const dist = `${here}/dist`;
await rm(dist, { recursive: true, force: true });
execFileSync(process.execPath, [`${here}/node_modules/typescript/bin/tsc`, "-p", here], { stdio: "inherit" });
for (const name of ["salvo.js", "salvo.wasm"]) await cp(`${web}/web/engine/${name}`, `${dist}/${name}`);
await cp(`${native}/profiles-alone.pack`, `${dist}/profiles.pack`);
await cp(`${root}/LICENSE`, `${here}/LICENSE`);
