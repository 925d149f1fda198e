// The client of @modelcontextprotocol/sdk, where it is installed: its schemas check every answer.
//   node sdk.mjs PROGRAM EXAMPLES
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const [program, examples] = process.argv.slice(2);
const places = [process.env.ROOFLINE_NODE_MODULES, process.cwd()].filter(Boolean);
try {
  places.push(execFileSync("npm", ["root", "-g"], { stdio: ["ignore", "pipe", "ignore"] }).toString().trim() + "/..");
} catch {
  // no npm: what is beside the test is looked at
}
const find = (name) => pathToFileURL(createRequire(import.meta.url).resolve(name, { paths: places })).href;
let Client, StdioClientTransport;
try {
  ({ Client } = await import(find("@modelcontextprotocol/sdk/client/index.js")));
  ({ StdioClientTransport } = await import(find("@modelcontextprotocol/sdk/client/stdio.js")));
} catch (why) {
  console.log("SKIPPED: needs node's @modelcontextprotocol/sdk, in a folder that ROOFLINE_NODE_MODULES names");
  process.exit(77);
}

const client = new Client({ name: "tests", version: "1" });
await client.connect(new StdioClientTransport({ command: program, args: ["mcp", examples] }));
assert.equal(client.getServerVersion().name, "roofline");
assert.match(client.getInstructions(), /bound/);
await client.ping();
const { tools } = await client.listTools(); // and keeps the output schemas, which the calls below are held against
assert.deepEqual(tools.map((tool) => tool.name),
  ["predict", "reconcile", "explain", "compare", "check", "inspect", "hardware"]);

const calls = [
  ["predict", { files: ["models/resnet50.onnx"], hw: "kv260" }, /^resnet50 .*expect/],
  ["predict", { files: ["models/resnet50.onnx"], hw: "kv260,zcu104" }, /kv260/],
  ["reconcile", { files: ["stm32n6/npu_profiler.log"], model: "stm32n6" }, /^tiny on STM32N6/],
  ["explain", { files: ["models/mobilenetv2.onnx"], hw: "coral", measured: ["5.1ms"] }, /Coral/],
  ["compare", { files: ["models/resnet50.onnx", "models/mobilenetv2.onnx"], hw: "kv260" }, /^B takes/],
  ["check", { files: ["zcu104-resnet50/measured.json"], budget: "zcu104-resnet50/budget.json" }, /^FAIL/],
  ["inspect", { files: ["models/resnet50.onnx"] }, /./],
  ["hardware", {}, /built in/],
  ["hardware", { files: ["kv260"] }, /^kv260/],
];
for (const [name, args, says] of calls) {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, false, name);
  assert.match(result.content[0].text, says);
  assert.equal(typeof result.structuredContent.schema, "string");
}
const refused = await client.callTool({ name: "predict", arguments: { files: ["/etc/passwd"] } });
assert.equal(refused.isError, true);
await assert.rejects(client.callTool({ name: "report", arguments: {} }), /no tool/);

const { resources } = await client.listResources();
assert.ok(resources.length > 10);
for (const { uri } of resources) {
  const { contents } = await client.readResource({ uri });
  assert.ok(contents[0].uri === uri && contents[0].text.length > 100, uri);
  if (contents[0].mimeType !== "text/plain")
    JSON.parse(contents[0].text);
}
const { resourceTemplates } = await client.listResourceTemplates();
assert.equal(resourceTemplates[0].uriTemplate, "roofline://hardware/{id}");
const device = await client.readResource({ uri: "roofline://hardware/kv260" });
assert.equal(JSON.parse(device.contents[0].text).id, "kv260");
await client.close();
console.log(`${tools.length} tools, ${calls.length} calls, ${resources.length} resources`);
