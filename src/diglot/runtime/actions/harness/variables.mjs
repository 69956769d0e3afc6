// Runs a script that stands beside this file with variables as its globals.
//
// Started in a process of its own: the first argument is the folder with `script` and
// `variables.json`; what came of it is left in `outcome.json`. A name that a script sets is a
// variable if its value is JSON.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const folder = process.argv[2];

class BpmnError extends Error {
  constructor(code, message) {
    super(message || code);
    this.code = code;
  }
}

const variables = JSON.parse(readFileSync(join(folder, "variables.json"), "utf-8"));
const before = new Map(Object.entries(variables).map(([name, value]) => [name, JSON.stringify(value)]));
const execution = {
  getVariable: (name) => names[name],
  hasVariable: (name) => name in names,
  setVariable: (name, value) => { names[name] = value; },
};
const given = { BpmnError, execution, console };
const names = { ...variables, ...given };

const asJson = (value) => {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

// What went wrong and in which line of the script, and nothing of what ran it.
const told = (error) => {
  const place = /\bscript:(\d+)/.exec(String(error?.stack));
  const line = place === null ? "" : ` in line ${place[1]}`;
  return `${error?.name ?? "Error"}: ${error?.message ?? error}${line}`;
};

let outcome;
try {
  const code = readFileSync(join(folder, "script"), "utf-8");
  const result = vm.runInNewContext(code, names, { filename: "script" });
  const changed = {};
  for (const [name, value] of Object.entries(names)) {
    if (name in given || typeof value === "function") continue;
    const text = JSON.stringify(value);
    if (text !== undefined && text !== before.get(name)) changed[name] = value;
  }
  outcome = { variables: changed, result: asJson(result) };
} catch (error) {
  if (error instanceof BpmnError) {
    outcome = { error: { type: String(error.code), title: error.message } };
  } else {
    console.error(told(error));
    process.exitCode = 1;
  }
}
if (outcome) writeFileSync(join(folder, "outcome.json"), JSON.stringify(outcome));
