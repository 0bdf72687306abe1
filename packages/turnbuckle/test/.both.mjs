// ../../../tmp/both.ts
import { join as join2 } from "node:path";
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// packages/turnbuckle/test/same/plain.ts
function plain(value) {
  try {
    return JSON.stringify(value, readable) ?? "undefined";
  } catch {
    return JSON.stringify(withoutCycles(value, []), readable);
  }
}
function readable(_key, value) {
  if (typeof value === "object") return value === null ? value : asData(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "(function)";
  return typeof value === "symbol" ? String(value) : value;
}
function asData(value) {
  if (value instanceof Error) return errorData(value);
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("base64")}`;
  if (value instanceof Map) return [...value];
  if ("createdAt" in value && "message" in value) return nodeData(value);
  if ("indexInStep" in value) return pipelineData(value);
  return "stream" in value ? `(model ${String(value.id)})` : value;
}
function nodeData(node) {
  const { id, parentId, message, turnId, usage, cost: cost2, createdAt } = node;
  return { id, parentId, message, turnId, usage, cost: cost2, createdAt };
}
function pipelineData(pipeline) {
  const { turn, step } = pipeline;
  return { turn: turn.map(({ name }) => name), step: step.map(({ name }) => name) };
}
function errorData(thrown) {
  const { name, code, message, kind, by, at, cause } = thrown;
  return { error: name, code, message, kind, by, at, cause };
}
function withoutCycles(value, above) {
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "(itself)";
  const data = value instanceof Date ? value.toJSON() : asData(value);
  if (typeof data !== "object" || data === null) return data;
  const below = [...above, value];
  if (Array.isArray(data)) return data.map((member) => withoutCycles(member, below));
  return Object.fromEntries(Object.entries(data).map(([key, member]) => [key, withoutCycles(member, below)]));
}
var sameLine = (a, b) => a === b || sorted(a) === sorted(b);
function sorted(given) {
  const [line = ""] = given.split("	", 1);
  const from = line.search(/[[{]/);
  if (from < 0) return line;
  try {
    return line.slice(0, from) + JSON.stringify(inOrder(JSON.parse(line.slice(from))));
  } catch {
    return line;
  }
}
function inOrder(value) {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, member]) => [key, inOrder(member)]));
}

// packages/turnbuckle/test/same/life.ts
var Life = class {
  library;
  program;
  world;
  number;
  #recording;
  #counts = /* @__PURE__ */ new Map();
  #snapshots = [];
  dead = false;
  /** Dies as soon as everything else has come to rest: its tools hang. */
  dying = false;
  /** Only what the store has is told any more. */
  quiet = false;
  agent;
  chat;
  /** Called at the points where a crash may be planned. */
  onPoint = () => {
  };
  /** Makes a middleware that may be added while a turn runs. */
  spare = () => {
    throw new Error("There is no spare middleware.");
  };
  unuse;
  constructor(library, program, world, recording, number) {
    this.library = library;
    this.program = program;
    this.world = world;
    this.number = number;
    this.#recording = recording;
  }
  say(channel, what, value, lane) {
    if (!this.dead && (!this.quiet || channel === "store")) this.#recording.say(channel, what, value, lane);
  }
  /** Counts occurrences of a hook, a call or an id, from 0. */
  count(key) {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count;
  }
  keepSnapshot(taken) {
    this.#snapshots.push(taken);
  }
  get snapshot() {
    return this.#snapshots.at(-1);
  }
  /** Calls of one batch wait for different times, so that they never go on in the same instant. */
  sleep(ms, callId = "") {
    return this.world.sleep(ms + laneOffset(callId));
  }
};
function laneOffset(callId) {
  let hash = 0;
  for (let i = 0; i < callId.length; i++) hash = Math.imul(hash, 31) + callId.charCodeAt(i) >>> 0;
  return callId ? 1 + hash % 331 : 0;
}
var never = () => new Promise(() => {
});
var refusal = (error) => {
  const { code, message } = error;
  return `${code ?? "error"}: ${message}`;
};

// packages/turnbuckle/test/same/model-of.ts
var theEnd = {
  texts: ["The end."],
  calls: [],
  delay: 0,
  gap: 0,
  usage: "tokens",
  finish: "stop",
  inArrays: false,
  hangs: false
};
function modelOf(life) {
  const { loop } = life.program;
  if (loop === "intercept") return { id: "intercept", loop, stream: (_prompt, options) => intercepted(life, options) };
  if (loop === "observe") return { id: "observe", loop, stream: (_prompt, options) => observed(life, options) };
  return {
    id: "plain",
    stream(prompt, options) {
      saw(life, "prompt", prompt);
      return chunks(life, nextReply(life, prompt), options);
    }
  };
}
var spareModel = (life) => ({
  id: "spare",
  async *stream(prompt) {
    saw(life, "spare prompt", prompt);
    yield { type: "text", text: '{"accepted": false, "advice": "Spare."}' };
    yield { type: "finish", reason: "stop" };
  }
});
var judgeModel = (life, ms, broken = false) => ({
  id: "judge",
  async *stream(prompt, { signal }) {
    saw(life, "judge prompt", prompt);
    if (ms % 2) await pause(life, ms, signal);
    yield { type: "text", text: "Judged." };
    if (broken) throw new Error("no judgement");
    yield { type: "usage", inputTokens: 3, outputTokens: 1, cost: 0.01 };
    yield { type: "finish", reason: "stop" };
  }
});
function saw(life, what, { messages, tools, instructions, params }) {
  const names = tools.map(({ name }) => name).join(" ");
  life.say("prompt", what, { messages, names, instructions, params });
  life.onPoint("model");
}
function nextReply(life, { messages }) {
  const { script, replies } = life.program;
  const count = life.count("model");
  const said = messages.filter(({ role }) => role === "assistant").length;
  return [...script, theEnd][(replies === "path" ? said : count) % (script.length + 1)] ?? theEnd;
}
async function* chunks(life, reply, options) {
  if (life.dead) await never();
  if (reply.delay) await pause(life, reply.delay, options.signal);
  if (reply.fails === "rate") throw Object.assign(new Error("too many"), { status: 429 });
  if (reply.fails === "start") throw new Error("did not start");
  const all = [...chunksOf(life, reply)];
  if (reply.inArrays) yield* [all.slice(0, 2), all.slice(2)];
  else yield* oneByOne(life, reply, options, all);
  if (reply.hangs) await never();
  if (reply.fails === "end") throw new Error("cut at the end");
}
async function* oneByOne(life, { fails, gap }, { signal }, all) {
  for (const [i, chunk] of all.entries()) {
    if (fails === "middle" && i === 1) throw new Error("cut in the middle");
    if (gap && i) await pause(life, gap, signal);
    yield chunk;
  }
}
function* chunksOf(life, reply) {
  if (reply.reasoning) yield { type: "reasoning", text: reply.reasoning };
  for (const text of reply.texts) yield { type: "text", text };
  if (reply.extra) yield extra(reply.extra);
  for (const call of reply.calls) yield* callChunks(life, call);
  if (reply.usage !== "none") yield { type: "usage", inputTokens: 5, outputTokens: 2, ...cost(reply) };
  if (reply.usage === "twice") yield { type: "usage", inputTokens: 6, outputTokens: 3 };
  if (reply.finish) yield { type: "finish", reason: reply.finish };
}
var cost = ({ usage }) => usage === "cost" ? { cost: 0.25 } : {};
function* callChunks(life, { name, id, args, calling }) {
  const chosen = id ?? `call_${life.number}_${life.count("call")}`;
  if (calling) {
    yield { type: "calling", id: chosen, name, text: '{"x"' };
    yield { type: "calling", id: chosen, name, text: ": 1}" };
  }
  yield { type: "call", id: chosen, name, args };
}
function extra(what) {
  if (what === "file") return { type: "file", mediaType: "text/plain", data: "aGk=" };
  if (what === "source") return { type: "source", url: "https://example.org", title: "Example" };
  if (what === "warning") return { type: "warning", text: "No such parameter." };
  if (what === "result") return { type: "result", id: "provider_1", name: "search", status: "ok", value: "found" };
  if (what === "meta") return { type: "text", text: "Signed.", meta: { signature: "s" } };
  return { type: "odd" };
}
async function* intercepted(life, { signal, runTools }) {
  for (const reply of [...life.program.script, theEnd]) {
    if (reply.delay) await pause(life, reply.delay, signal);
    for (const text of reply.texts) yield { type: "text", text };
    if (reply.calls.length) {
      const calls = reply.calls.map(({ name, id, args }) => ({ id: id ?? `call_${life.count("call")}`, name, args }));
      life.say("prompt", "returned", await runTools?.(calls));
    }
    if (reply.fails) throw new Error(reply.fails);
    if (reply.usage !== "none") yield { type: "usage", inputTokens: 5, outputTokens: 2 };
  }
}
async function* observed(life, { signal }) {
  for (const reply of [...life.program.script, theEnd]) {
    if (reply.delay) await pause(life, reply.delay, signal);
    for (const text of reply.texts) yield { type: "text", text };
    const calls = reply.calls.map((call) => ({ ...call, id: call.id || `call_${life.count("call")}` }));
    for (const { name, id, args } of calls) yield { type: "call", id, name, args };
    for (const { name, id } of calls) yield { type: "result", id, name, status: "ok", value: `${name} ran there` };
    if (reply.fails) throw new Error(reply.fails);
  }
}
function pause(life, ms, signal) {
  return new Promise((resolve, reject) => {
    const cut = () => {
      off();
      reject(signal.reason);
    };
    const off = life.world.after(ms, () => {
      signal.removeEventListener("abort", cut);
      resolve();
    });
    signal.addEventListener("abort", cut, { once: true });
  });
}

// packages/turnbuckle/test/same/acts.ts
var laneOf = ({ ctx }) => ctx.call?.id ?? "";
var some = (from, pick) => from[pick % Math.max(1, from.length)];
var idOf = ({ ctx, pick }) => some(ctx.messages.toArray(), pick)?.id ?? "none";
var directives = {
  skip: ({ life }) => life.library.root.skip(),
  skipText: ({ life }) => life.library.root.skip("skipped"),
  skipResult: ({ life }) => life.library.root.skip({ status: "error", value: "skipped" }),
  skipMessage: ({ life }) => life.library.root.skip({ role: "assistant", content: [{ type: "text", text: "Ready." }] }),
  skipCalls: ({ life }) => life.library.root.skip([{ type: "call", id: "same", name: "later", args: {} }]),
  block: ({ life }) => life.library.root.block("blocked"),
  replaceText: ({ life }) => life.library.root.replace("replaced"),
  replaceResult: ({ life }) => life.library.root.replace({ status: "ok", value: [1, 2] }),
  replaceCalls: ({ life }) => life.library.root.replace([{ type: "call", id: "mine", name: "ok", args: { x: 5 } }]),
  replaceResults: ({ life }) => life.library.root.replace(["one", { status: "error", value: "two" }, "three"]),
  replaceMessagePart: ({ life }) => life.library.root.replace({ role: "assistant", content: [{ type: "text", text: "Put in its place." }] }),
  replaceOdd: ({ life }) => life.library.root.replace({ status: "banana" }),
  stop: ({ life }) => life.library.root.stop("stopped"),
  stopSaying: ({ life }) => life.library.root.stop("stopped", { say: "Good bye." }),
  again: ({ life }) => life.library.root.again("Again."),
  finish: ({ life }) => life.library.root.finish("enough"),
  gotoModel: ({ life }) => life.library.root.goto("model"),
  gotoTools: ({ life }) => life.library.root.goto("tools"),
  gotoDecide: ({ life }) => life.library.root.goto("decide"),
  gotoOwn: ({ life }) => life.library.root.goto("moderate"),
  gotoNowhere: ({ life }) => life.library.root.goto("nowhere"),
  gotoPipeline: ({ life }) => life.library.root.goto(otherPipeline(life)),
  rewindStep: ({ life, pick }) => life.library.root.rewind(pick % 3, "Back."),
  rewindMessage: (moment) => moment.life.library.root.rewind(idOf(moment)),
  rewindHere: ({ life, ctx }) => life.library.root.rewind(ctx.snapshot(), "From here."),
  rewindTaken: ({ life, ctx }) => life.library.root.rewind(life.snapshot ?? ctx.step),
  fail: ({ life }) => life.library.root.fail(new Error("failed")),
  failOdd: ({ life }) => life.library.root.fail("words")
};
function otherPipeline(life) {
  const { pipeline, stage } = life.library.root;
  const run = (_ctx, input) => {
    life.say("hook", "stage extra");
    return input;
  };
  return pipeline().before("model", stage({ name: "extra", run }));
}
var misdeeds = {
  throw: () => {
    throw new Error("hook broke");
  },
  throwOdd: () => {
    throw { odd: true };
  },
  nonsense: () => 42,
  hang: () => new Promise(() => {
  }),
  forge: ({ ctx }) => ctx.emit({ type: "turn.completed" }),
  assignInput: ({ ctx }) => {
    ctx.input = structuredClone(ctx.input);
  },
  assignForeign: ({ ctx }) => {
    ctx.calls = [];
  }
};
var edits = {
  append: ({ ctx }) => ctx.messages.append({ role: "user", content: "Appended." }),
  insert: ({ ctx, pick }) => ctx.messages.insert(pick % (ctx.messages.length + 1), { role: "user", content: "Inserted." }),
  insertFirst: ({ ctx }) => ctx.messages.insert(0, { role: "system", content: "Inserted." }),
  remove: (moment) => moment.ctx.messages.remove(idOf(moment)),
  removeLast: ({ ctx }) => ctx.messages.remove(ctx.messages.at(-1)?.id ?? "none"),
  replaceMessage: (moment) => moment.ctx.messages.replace(idOf(moment), { role: "user", content: "Other." }),
  replaceLast: ({ ctx }) => ctx.messages.replace(ctx.messages.at(-1)?.id ?? "none", { role: "user", content: "Other." }),
  reorder: ({ ctx }) => ctx.messages.reorder(ctx.messages.map(({ id }) => id).reverse()),
  snapshot: ({ ctx, life }) => life.keepSnapshot(ctx.snapshot()),
  tryOut: ({ ctx, life, pick }) => {
    const taken = ctx.snapshot();
    ctx.shared.set("tried", pick);
    ctx.instruct("Tried.", { for: "turn" });
    ctx.update((state) => ({ n: (state?.n ?? 0) + 100 }));
    if (pick % 2) ctx.messages.append({ role: "user", content: "Tried." });
    ctx.restore(taken);
    life.say("hook", "tried", [ctx.shared.get("tried"), ctx.messages.length, ctx.state]);
  },
  restore: ({ ctx, life }) => {
    if (life.snapshot) ctx.restore(life.snapshot);
  }
};
var doings = {
  sleep: (moment) => moment.ctx.clock.sleep(moment.pick),
  emit: ({ ctx, pick }) => ctx.emit({ type: "custom.news", pick }),
  instruct: ({ ctx, pick }) => ctx.instruct("Be kind.", { for: pick % 2 ? "call" : "turn" }),
  instructParams: ({ ctx, pick }) => ctx.instruct({ temperature: pick }, { for: pick % 2 ? "call" : "turn" }),
  share: ({ ctx, life, pick }) => {
    life.say("hook", "shared", ctx.shared.get("n"));
    ctx.shared.set("n", { pick });
  },
  update: ({ ctx }) => ctx.update((state) => ({ n: (state?.n ?? 0) + 1 })),
  interject: ({ ctx }) => ctx.turn.interject("By the way."),
  interrupt: ({ ctx }) => ctx.turn.interrupt("hook"),
  disable: ({ ctx, pick }) => {
    const one = some(ctx.agent.middleware, pick);
    if (one) ctx.agent.disable(one.name);
  },
  enable: ({ ctx, pick }) => {
    const one = some(ctx.agent.middleware, pick);
    if (one) ctx.agent.enable(one.name);
  },
  use: ({ life }) => {
    life.unuse ??= life.agent.use(life.spare());
  },
  look: ({ ctx, life }) => life.say("hook", "looks", [
    ctx.log.seq,
    ctx.log.events.length,
    ctx.clock.elapsed(),
    ctx.turn.usage,
    ctx.turn.steps,
    ctx.turn.explain()
  ])
};
var asking = {
  ask: async (moment) => {
    const answer = await moment.ctx.ask("question", { why: "so" });
    moment.life.say("hook", "answered", answer, laneOf(moment));
  },
  askPermission: async ({ ctx, life, pick }) => {
    const answer = await ctx.ask("permission", { n: 1 }, pick % 3 ? { fallback: "deny", timeout: pick } : {});
    return answer.decision === "deny" ? life.library.root.block(answer.reason) : void 0;
  },
  askBriefly: async ({ ctx, life, pick }) => {
    try {
      await ctx.ask("question", {}, { timeout: pick });
    } catch (error) {
      life.say("hook", `unanswered ${refusal(error)}`);
    }
  },
  askForever: async ({ ctx }) => void await ctx.ask("question", {}, { timeout: Infinity }),
  generate: async (moment) => {
    const { text, usage } = await moment.ctx.generate(judgeModel(moment.life, moment.pick), "Judge.");
    moment.life.say("hook", "generated", [text, usage], laneOf(moment));
  },
  generateBroken: async ({ ctx, life }) => {
    try {
      await ctx.generate(judgeModel(life, 0, true), { instructions: "Judge.", params: { n: 1 } });
    } catch (error) {
      life.say("hook", `not generated ${refusal(error)}`);
    }
  },
  agentSend: async ({ ctx, life }) => {
    const { status, reason, text } = await ctx.agent.send("Elsewhere.").settled;
    await life.sleep(1);
    life.say("hook", "elsewhere", [status, reason, text]);
  },
  forkSend: async ({ ctx, life }) => {
    const { status, reason, text } = await ctx.fork().send("Aside.").settled;
    await life.sleep(1);
    life.say("hook", "aside", [status, reason, text]);
  }
};
var wraps = {
  twice: async ({ next, life }) => {
    await next?.().catch((error) => life.say("hook", `first ${refusal(error)}`));
    return next?.();
  },
  noNext: () => void 0,
  giveValue: () => ({ status: "ok", value: "given" }),
  giveText: () => "given",
  caught: ({ next, life }) => next?.().catch((error) => void life.say("hook", `caught ${refusal(error)}`)),
  translated: ({ next }) => next?.().catch(() => {
    throw new Error("translated");
  }),
  until: (moment) => moment.next?.(void 0, {
    until: (end) => moment.ctx.clock.after(moment.pick, () => end(new Error("too slow")))
  }),
  untilSignal: ({ next, life, pick }) => {
    const controller = new AbortController();
    const off = life.world.after(pick, () => controller.abort(new Error("signalled")));
    return next?.(void 0, { signal: controller.signal }).finally(off);
  },
  overlap: async (moment) => {
    const first = moment.next?.();
    first?.catch(() => {
    });
    await moment.life.sleep(moment.pick, laneOf(moment));
    const second = moment.next?.();
    second?.catch(() => {
    });
    await first?.catch(async (error) => {
      await moment.life.sleep(1, laneOf(moment));
      throw error;
    });
    return second;
  },
  changeInput: ({ ctx, next }) => changed(ctx, next, structuredClone(inputOf(ctx))),
  rename: ({ ctx, next }) => changed(ctx, next, { ...inputOf(ctx), id: "mine" }),
  changeArgs: ({ ctx, next }) => ctx.call ? changed(ctx, next, { ...ctx.call, args: { x: 9 } }) : next?.(),
  changePrompt: ({ ctx, next }) => ctx.prompt ? changed(ctx, next, { ...ctx.prompt, instructions: "Other.", params: { ...ctx.prompt.params, top: 1 } }) : next?.(),
  fewerTools: ({ ctx, next }) => ctx.prompt ? changed(ctx, next, { ...ctx.prompt, tools: ctx.prompt.tools.slice(0, 3) }) : next?.(),
  changeMessage: ({ ctx, next }) => ctx.message ? changed(ctx, next, { ...ctx.message, content: [{ type: "text", text: "Changed." }] }) : next?.(),
  changeCalls: ({ ctx, next }) => ctx.stage === "tools" ? changed(ctx, next, [...ctx.calls ?? []].reverse()) : next?.()
};
var inputOf = (ctx) => ctx.stage === "tool" ? ctx.call : ctx.stage === "tools" ? ctx.calls : ctx.message ?? ctx.prompt ?? ctx.input;
function changed(ctx, next, input) {
  if (next) return next(input);
  if (ctx.stage === "tool") ctx.call = input;
  else if (ctx.stage === "tools") ctx.calls = input;
  else ctx.input = input;
}
var chunkActs = {
  dropChunk: ({ news }) => isText(news) ? [] : void 0,
  changeChunk: ({ news }) => isText(news) ? { ...news, text: news.text.toUpperCase() } : void 0,
  splitChunk: ({ news }) => isText(news) ? [...news.text].map((letter) => ({ type: "text", text: letter })) : void 0,
  endWithText: ({ news }) => news?.type === "end" ? [{ type: "text", text: "held" }, news] : void 0
};
var isText = (news) => news?.type === "text";
var acts = {
  ...directives,
  ...misdeeds,
  ...edits,
  ...doings,
  ...asking,
  ...wraps,
  ...chunkActs
};
var observerActNames = [
  ...Object.keys({ ...doings, ...edits }).filter((name) => name !== "sleep"),
  ...["throw", "throwOdd", "nonsense", "forge", "stop"]
];
var chunkActNames = Object.keys(chunkActs);
var actNames = Object.keys(acts).filter((name) => !(name in chunkActs));
var decides = (act3) => act3 in wraps || act3 === "nonsense";

// packages/turnbuckle/test/same/see.ts
var before = {
  turn: ["message"],
  input: ["message"],
  model: ["prompt"],
  detect: ["reply"],
  append: ["message"],
  tools: ["calls", "reply"],
  tool: ["call"],
  decide: ["reply", "goesOn"],
  generate: ["prompt"]
};
var after = {
  turn: ["message", "result"],
  input: ["message", "result"],
  step: ["reply", "goesOn"],
  model: ["prompt", "reply", "result"],
  detect: ["reply", "calls", "result"],
  append: ["message", "result"],
  tools: ["calls", "results", "result"],
  tool: ["call", "result"],
  decide: ["reply", "goesOn"],
  generate: ["prompt", "reply", "result"]
};
var always = ["stage", "step", "resumed", "state"];
function see(hook, ctx) {
  const { stage } = ctx;
  const after_ = hook.startsWith("after");
  const own = hook.startsWith("on") ? [] : (after_ ? after : before)[stage] ?? ["input"];
  const names = [...always, ...own, ...after_ ? ["status", "entered", "error"] : []];
  const seen = {};
  for (const name of names) seen[name] = shown(name, Reflect.get(ctx, name));
  const { text, reply, calls, results, errors, finishReason, usage } = ctx.draft ?? {};
  seen.draft = {
    text,
    reply: reply?.id,
    calls: calls?.length,
    results: results?.length,
    errors: errors?.length,
    finishReason,
    usage
  };
  seen.path = ctx.messages.map(({ id }) => id);
  seen.aborted = ctx.signal.aborted;
  return seen;
}
function shown(name, value) {
  if (name !== "prompt" || !value) return value;
  const { messages, instructions, params, tools } = value;
  return {
    messages: messages.map(({ id, role, content }) => [id, role, content.length]),
    instructions,
    params,
    tools: tools.length
  };
}

// packages/turnbuckle/test/same/middleware-of.ts
var stages = ["Turn", "Input", "Step", "Model", "Detect", "Append", "Tools", "Tool", "Decide", "Generate"];
var stageHooks = stages.flatMap((stage) => [`before${stage}`, `wrap${stage}`, `after${stage}`]);
var everyHook = [...stageHooks, "onChunk", "onError", "onEvent", "onOpen", "onTrace"];
var observers = ["onEvent", "onOpen", "onTrace"];
function middlewareOf(life, plan, name) {
  const { guard, priority, onFailure, timeout, tools, scope, watches } = plan;
  const watched2 = watches === "all" ? everyHook : stageHooks;
  const plans = watches ? watched2.map((hook) => ({ hook, act: "watch", at: 0, wait: "none", pick: 0 })) : plan.hooks;
  const hooks = /* @__PURE__ */ new Map();
  for (const one of plans) hooks.set(one.hook, [...hooks.get(one.hook) ?? [], one]);
  const made = [...hooks].map(([hook, all]) => [hook, hookOf(life, name, hook, all)]);
  return life.library.root.middleware({
    name,
    guard,
    priority,
    ...onFailure ? { onFailure } : {},
    ...timeout ? { timeout } : {},
    ...tools ? { tools } : {},
    ...scope ? { scope, state: { n: 0 } } : {},
    ...Object.fromEntries(made)
  });
}
function hookOf(life, owner, hook, plans) {
  const key = `${owner}.${hook}`;
  const on = hook.startsWith("on");
  return (first, second) => {
    if (life.dead) return never();
    const ctx = on ? second : first;
    const next = on ? void 0 : second;
    const news = on ? first : void 0;
    record(life, key, hook, ctx, news);
    life.onPoint("hook");
    if (life.dead) return never();
    const plan = dueAt(plans, life.count(key));
    const going = plan ? act(life, plan, ctx, next, news) : next?.();
    return next ? told(life, key, ctx, going) : going;
  };
}
var dueAt = (plans, occurrence) => plans.find(({ at, act: act3 }) => act3 !== "watch" && (at === -1 ? occurrence < 8 : at === occurrence));
function record(life, key, hook, ctx, news) {
  const lane = ctx.call?.id;
  if (hook === "onEvent") life.say("hook", key, news.type, lane);
  else if (observers.includes(hook)) sayHookSpan(life, key, news);
  else life.say("hook", key, hook.startsWith("on") ? { news, ...see(hook, ctx) } : see(hook, ctx), lane);
}
function sayHookSpan(life, key, { changed: changed3, ...span }) {
  const isLane = span.callId !== void 0 && life.program.batches === "paced";
  const { id, parentId, ...rest } = span;
  const cut = span.error === "The turn was interrupted." ? `cut ${String(id).padStart(5, "0")}` : void 0;
  const data = { ...isLane ? rest : span, changed: changed3?.map(({ what }) => what) };
  life.say("hook", key, data, span.callId ?? cut);
}
function told(life, key, ctx, going) {
  if (!(going instanceof Promise)) return going;
  const lane = ctx.call?.id;
  return going.then(
    (value) => {
      life.say("hook", `${key} gives`, value ?? "nothing", lane);
      return life.dead ? never() : value;
    },
    (error) => {
      life.say("hook", `${key} throws ${refusal(error)}`, void 0, lane);
      if (life.dead) return never();
      throw error;
    }
  );
}
function act(life, plan, ctx, next, news) {
  const { wait, hook } = plan;
  const lane = ctx.call?.id;
  const go = () => life.dead ? never() : perform(plan, { life, ctx, next, news, pick: plan.pick });
  if (wait === "none") return go();
  if (wait === "micro") return observers.includes(hook) ? go() : Promise.resolve().then(go);
  return life.sleep(wait, lane).then(go);
}
function perform({ act: act3 }, moment) {
  const { next } = moment;
  const returned = acts[act3]?.(moment);
  if (!next || decides(act3)) return returned;
  if (returned instanceof Promise) return returned.then((value) => value ?? next());
  return returned ?? next();
}

// packages/turnbuckle/test/same/mortal-store.ts
var leaseMs = 1e9;
function later(driver) {
  const rest = () => new Promise((resolve) => setTimeout(resolve, 0));
  return new Proxy(driver, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...given) => {
        const answer = (async () => member.apply(target, given))();
        answer.catch(() => {
        });
        await rest();
        return answer;
      };
    }
  });
}
function mortalStore(library, driver, fateOf, answersLater) {
  let dead = false;
  const held = /* @__PURE__ */ new Map();
  const commit = (given) => {
    const fate = dead ? "die" : fateOf(given);
    if (fate !== "die") {
      const done = driver.commit(given);
      if (!(done instanceof Promise)) held.set(given.conversation, { holder: given.holder, fence: done.fence });
      if (fate === "go") return done;
    }
    dead = true;
    return new Promise(() => {
    });
  };
  const mortal = new Proxy(driver, {
    get(target, name) {
      if (name === "commit") return commit;
      if (name === "renew" && dead) return () => new Promise(() => {
      });
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    }
  });
  return {
    store: library.stores.createStore(answersLater ? later(mortal) : mortal, { leaseMs, waitMs: 200 }),
    end() {
      dead = true;
      for (const [conversation, { holder, fence }] of held) driver.renew(conversation, holder, fence, -1);
    }
  };
}

// packages/turnbuckle/test/same/paces.ts
function paces(life) {
  const { program } = life;
  if (program.batches === "serial" || needsNone(program)) return [];
  const { middleware } = life.library.root;
  const first = middleware({
    name: "pace",
    priority: -1e3,
    async wrapTool(ctx, next) {
      await life.sleep(20, ctx.call.id);
      return next();
    }
  });
  const last = middleware({
    name: "pace-after",
    priority: 1e3,
    // Innermost of all; a model that only reports its calls refuses guards, and reports one batch at a time.
    guard: program.loop !== "observe",
    async afterTool(ctx) {
      await life.sleep(400, ctx.call.id);
    }
  });
  return [first, last];
}
var parallelOf = ({ program }) => program.pipeline.some(({ op }) => op === "performance") && !areRun(program) ? 1 : program.parallel;
function needsNone({ owners, ready, turns, people, script }) {
  const hooked = owners.length || ready.length || turns.some(({ use }) => use) || people.some(({ does }) => does === "use");
  return !hooked && areRun({ script });
}
var areRun = ({ script }) => script.every(({ calls }) => calls.length < 2 || calls.every(isRun));
var isRun = ({ name, id, args }) => id === void 0 && name !== "missing" && typeof args?.x === "number";

// packages/turnbuckle/test/same/people.ts
var answerAll = (answer) => ({ chat, life }) => {
  const [first, ...others] = chat.requests;
  const give = ({ id, kind }) => {
    const given = kind === "outcome" ? { outcome: "happened" } : answer;
    chat.answer(id, given)?.catch(() => {
    });
  };
  if (first) give(first);
  for (const [i, request] of others.entries())
    life.world.after(3 + i, () => {
      if (!life.dead && chat.requests.some(({ id }) => id === request.id)) attempt(life, () => give(request));
    });
};
var deeds = {
  interrupt: ({ turn }) => turn.interrupt("by a person"),
  breakIn: ({ turn }) => {
    turn.interject("Listen!");
    turn.interrupt("to be heard");
  },
  abort: ({ controller }) => controller.abort("away"),
  interject: ({ turn }, pick) => turn.interject(`And this: ${pick}.`),
  answer: answerAll({ decision: "allow" }),
  deny: answerAll({ decision: "deny", reason: "no" }),
  edit: answerAll({ decision: "allow", args: { x: 3 } }),
  answerTwice: ({ chat, turn }) => {
    const [first] = chat.requests;
    if (!first) return;
    turn.answer(first.id, { decision: "allow" })?.catch(() => {
    });
    turn.answer(first.id, { decision: "deny" })?.catch(() => {
    });
  },
  answerUnknown: ({ chat }) => chat.answer("unknown", { decision: "allow" }),
  badAnswer: answerAll(void 0),
  expire: ({ turn, chat }) => {
    for (const { id } of chat.requests) turn.expire(id);
  },
  title: ({ chat }, pick) => {
    chat.title = `Title ${pick}`;
  },
  emit: ({ chat }, pick) => chat.emit({ type: "person.waved", pick })?.catch(() => {
  }),
  use: ({ life }) => {
    life.unuse ??= life.agent.use(life.spare());
  },
  unuse: ({ life }) => {
    life.unuse?.();
    life.unuse = void 0;
  },
  disable: ({ life }, pick) => switched(life, pick, false),
  enable: ({ life }, pick) => switched(life, pick, true),
  beside: ({ chat, follow }, pick) => {
    const nodes = chat.tree;
    follow(chat.fork(nodes[pick % Math.max(1, nodes.length)]?.id ?? null).send("Beside."), "beside");
  },
  checkout: ({ chat }, pick) => {
    const nodes = chat.tree;
    return chat.checkout(nodes[pick % Math.max(1, nodes.length)]?.id ?? "none")?.catch(() => {
    });
  },
  join: ({ turn, follow }) => follow(turn, "joined"),
  delete: ({ chat }) => void chat.delete().catch(() => {
  }),
  close: ({ life }) => void life.agent.close().catch(() => {
  }),
  send: ({ chat, follow }) => follow(chat.send("At once."), "at once")
};
function switched({ agent }, pick, enabled) {
  const one = agent.middleware[pick % Math.max(1, agent.middleware.length)];
  if (one) enabled ? agent.enable(one.name) : agent.disable(one.name);
}
function act2(scene, { does, pick }) {
  const { life } = scene;
  if (life.dead) return;
  life.say("person", does);
  attempt(life, () => deeds[does]?.(scene, pick), does);
}
function attempt(life, deed, does = "answer") {
  try {
    deed();
  } catch (error) {
    life.say("person", `${does} refused ${refusal(error)}`);
  }
}
function meddle(scene) {
  const { life } = scene;
  const counts = /* @__PURE__ */ new Map();
  for (const plan of life.program.people) if ("ms" in plan.when) life.world.after(plan.when.ms, () => act2(scene, plan));
  return ({ type }) => {
    const nth = (counts.get(type) ?? 0) + 1;
    counts.set(type, nth);
    for (const plan of life.program.people)
      if ("event" in plan.when && plan.when.event === type && plan.when.nth === nth) act2(scene, plan);
  };
}

// packages/turnbuckle/test/same/pipeline-of.ts
function pipelineOf(life) {
  let made = life.library.root.pipeline();
  for (const plan of life.program.pipeline)
    try {
      made = changed2(life, made, plan);
    } catch (error) {
      life.say("person", "pipeline refused", error);
    }
  return made;
}
function changed2(life, made, { op, stage, does }) {
  const { performancePipeline, debugPipeline } = life.library.root;
  if (op === "performance") return performancePipeline();
  if (op === "debug") return debugPipeline((span) => sayHookSpan(life, "span", span));
  if (op === "remove") return made.remove(stage);
  const own = ownStage(life, op === "replace" ? stage : "moderate", does);
  return made[op](stage, own);
}
function ownStage(life, name, does) {
  return life.library.root.stage({
    name,
    description: "One of its own.",
    run(ctx, input) {
      if (life.dead) return never();
      life.say("hook", `stage ${name}`, { step: ctx.step, resumed: ctx.resumed });
      return deeds2[does]?.(life, ctx, input);
    }
  });
}
var deeds2 = {
  pass: (_life, _ctx, input) => input,
  text: () => "text of its own",
  nothing: () => void 0,
  throw: () => {
    throw new Error("stage broke");
  },
  sleep: async (_life, ctx, input) => {
    await ctx.clock.sleep(321);
    return input;
  },
  emit: (_life, ctx, input) => {
    ctx.emit({ type: "custom.news", from: "stage" });
    return input;
  },
  ask: async (_life, ctx, input) => {
    await ctx.ask("question", { from: "stage" }, { timeout: 777, fallback: { x: 1 } });
    return input;
  },
  micro: async (_life, _ctx, input) => input,
  edit: (_life, ctx, input) => {
    ctx.messages.append({ role: "user", content: "From a stage." });
    return input;
  }
};

// packages/turnbuckle/test/same/ready-made.ts
var makers = {
  approval: ({ ready }) => ready.approval(),
  retry: ({ ready }) => ready.retry({ times: 2, random: () => 0.5 }),
  toolRetry: ({ ready }) => ready.toolRetry({ times: 1, random: () => 0.5 }),
  stepLimit: ({ ready }) => ready.stepLimit(2),
  toolLimit: ({ ready }) => ready.toolLimit({ max: 2 }),
  timeLimit: ({ ready }) => ready.timeLimit(5e3),
  tokenLimit: ({ ready }) => ready.tokenLimit(40),
  costLimit: ({ ready }) => ready.costLimit(0.5),
  timeout: ({ ready }) => ready.timeout({ model: 1500, tool: 900 }),
  fallback: ({ ready }, model) => ready.fallback([model]),
  toolCache: ({ ready }) => ready.toolCache({ tools: ["ok", "slow", "throws"] }),
  modelCache: ({ ready }) => ready.modelCache(),
  loopDetection: ({ ready }) => ready.loopDetection(),
  errorThreshold: ({ ready }) => ready.errorThreshold(2),
  finishReason: ({ ready }) => ready.finishReason(),
  trim: ({ ready }) => ready.trim({ maxMessages: 4 }),
  clearToolResults: ({ ready }) => ready.clearToolResults({ keep: 1, over: 10 }),
  critic: ({ ready }, model) => ready.critic(model, 1),
  instructions: ({ ready }) => ready.instructions("Mind the gap."),
  todo: ({ ready }) => ready.todo(),
  secrets: ({ ready }) => ready.secrets(),
  dryRun: ({ ready }) => ready.dryRun(),
  continuation: ({ ready }) => ready.continuation({ max: 2 }),
  analysis: ({ ready }) => ready.analysis({ after: 2 })
};
var readyNames = Object.keys(makers);
var readyMade = (name, library, model) => [makers[name](library, model)].flat();

// packages/turnbuckle/test/same/tools.ts
function oddValue() {
  const odd = { self: [], big: 1n, when: /* @__PURE__ */ new Date(0), nothing: void 0 };
  odd.self.push(odd);
  return odd;
}
var aborted = (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
var runs = {
  ok: (_life, args) => args ?? "none",
  later: async () => "later",
  throws: () => {
    throw new Error("broken");
  },
  throwsLater: async (life) => {
    await life.sleep(300);
    throw Object.assign(new Error("broken later"), { code: "E" });
  },
  throwsOdd: () => {
    throw "words";
  },
  returnsError: () => new Error("returned"),
  nothing: () => void 0,
  notANumber: () => Number.NaN,
  big: () => 12n,
  odd: oddValue,
  huge: () => "x".repeat(300),
  hugeList: () => Array.from({ length: 60 }, (_, i) => ({ i, text: "many" })),
  file: () => ({ type: "file", mediaType: "text/plain", data: "aGk=" }),
  functional: () => () => {
  },
  asResult: () => ({ status: "denied", value: "by the tool" }),
  hangs: (_life, _args, { signal }) => aborted(signal),
  deaf: never,
  slow: async (life, _args, { call }) => {
    await life.sleep(1500, call.id);
    return "slow";
  },
  late: async (life, _args, { call }) => {
    await life.sleep(9e4, call.id);
    return "late";
  },
  alone: async (life, _args, { call }) => {
    await life.sleep(200, call.id);
    return "alone";
  },
  limited: never,
  limitedOk: async (life, _args, { call }) => {
    await life.sleep(50, call.id);
    return "in time";
  },
  interjects: (_life, _args, ctx) => {
    ctx.interject("From a tool.");
    return "said";
  },
  progress: async (life, _args, ctx) => {
    ctx.emit({ type: "tool.progress", done: 0.5 });
    await life.sleep(100, ctx.call.id);
    ctx.emit({ type: "custom.news", from: "tool" });
    return "done";
  },
  emitsLate: (life, _args, ctx) => {
    life.sleep(2500, ctx.call.id).then(() => {
      life.say("tool", "emitted late", void 0, ctx.call.id);
      ctx.emit({ type: "custom.news", from: "a tool that has returned" });
      ctx.interject("From a tool that has returned.");
    }).catch((error) => life.say("tool", `emit refused ${refusal(error)}`, void 0, ctx.call.id));
    return "returned";
  },
  looks: (_life, _args, { path, tree, step, idempotencyKey }) => [path.length, tree.length, step, idempotencyKey],
  checked: (_life, args) => args,
  checkedLater: (_life, args) => args,
  again: async (life, _args, { call }) => {
    await life.sleep(700, call.id);
    return "idempotent";
  }
};
var sequential = ["alone"];
var idempotent = ["again", "ok", "slow", "looks"];
var timeouts = { limited: 400, limitedOk: 900, hangs: 7e3 };
var toolNames = [
  ...Object.keys(runs),
  "delegates",
  "delegates",
  "missing",
  "slow",
  "ok",
  "slow"
];
var numberSchema = (later2) => {
  const check = (value) => typeof value?.x === "number" ? { value } : { issues: [{ message: "Expected a number.", path: ["x"] }] };
  const validate = later2 ? async (value) => check(value) : check;
  return { "~standard": { version: 1, vendor: "same", validate } };
};
function toolNamesOf({ program }) {
  const named = program.script.flatMap(({ calls }) => calls.map(({ name }) => name));
  return [.../* @__PURE__ */ new Set(["ok", "later", "slow", ...named])].filter((name) => name in runs || name === "delegates");
}
function plainTools(life, names) {
  const { tool } = life.library.root;
  const { batches } = life.program;
  const known = names.flatMap((name) => runs[name] ? [[name, runs[name]]] : []);
  return known.map(
    ([name, run]) => tool({
      name,
      description: `It is ${name}.`,
      ...name.startsWith("checked") ? { input: numberSchema(name === "checkedLater"), schema: { type: "object" } } : {},
      sequential: sequential.includes(name),
      idempotent: idempotent.includes(name),
      ...timeouts[name] ? { timeout: timeouts[name] } : {},
      maxResult: name.startsWith("huge") ? 100 : 5e3,
      run: (args, ctx) => begin(life, name, args, ctx, batches === "paced" ? paced(run) : run)
    })
  );
}
function begin(life, name, args, ctx, run) {
  if (life.dead || life.dying) return never();
  life.say("tool", name, [args, ctx.call.id, ctx.step, ctx.path.length, ctx.idempotencyKey], ctx.call.id);
  life.onPoint("tool");
  return life.dead || life.dying ? never() : run(life, args, ctx);
}
var paced = (run) => async (life, args, ctx) => {
  await life.sleep(10, ctx.call.id);
  return run(life, args, ctx);
};
function delegate(life, use, store) {
  const { agentTool, createAgent } = life.library.root;
  const { clock } = life.world;
  const ids = { next: (kind) => `${kind}_${life.number}_below${life.count(`below ${kind}`)}` };
  const tools = plainTools(life, ["slow", "throws", "ok"]);
  const agent = createAgent({ name: "below", model: subModel(life), tools, use, clock, ids, breaker: false, ...store });
  const options = { name: "delegates", schema: {}, maxSteps: 3, deny: ["throws"], budget: { tokens: 60 } };
  const { seed } = life.program;
  const allow = { name: "delegates", schema: {}, allow: [/^s/], budget: { cost: 1 } };
  const made = agentTool(agent, seed % 3 ? seed % 2 ? options : { name: "delegates", schema: {} } : allow);
  const run = (_life, args, ctx) => made.run(args, ctx);
  return { ...made, run: (args, ctx) => begin(life, "delegates", args, ctx, paced(run)) };
}
var subModel = (life) => ({
  id: "below",
  async *stream({ messages }) {
    life.say("prompt", "below", messages);
    yield { type: "text", text: "Below." };
    if (messages.at(-1)?.role === "user")
      for (const name of ["slow", "throws"]) yield { type: "call", id: `below_${name}`, name, args: {} };
    if (life.program.seed % 5) yield { type: "usage", inputTokens: 20, outputTokens: 4 };
    yield { type: "finish", reason: "stop" };
  }
});

// packages/turnbuckle/test/same/play.ts
var mostTimers = 3e3;
var spare = { guard: false, priority: 90, watches: "stages", hooks: [] };
function createLife(ground, number, store) {
  const { library, program, world, recording } = ground;
  const life = new Life(library, program, world, recording, number);
  const { settings, errors } = program;
  const { createAgent } = library.root;
  const ids = { next: (kind) => `${kind}_${number}_${life.count(`id ${kind}`)}` };
  const own = program.owners.map((plan, i) => middlewareOf(life, plan, `m${i}`));
  const made = [...new Set(program.ready)].flatMap((name) => readyMade(name, library, spareModel(life)));
  const kept = store ? { store } : {};
  const below = program.seed % 3 ? [] : [middlewareOf(life, spare, "below")];
  const names = toolNamesOf(life);
  const tools = plainTools(life, names);
  if (names.includes("delegates")) tools.push(delegate(life, below, program.seed % 4 < 2 ? kept : {}));
  life.spare = () => middlewareOf(life, spare, "spare");
  life.agent = createAgent({
    model: modelOf(life),
    tools,
    use: [...paces(life), ...own, ...made],
    pipeline: pipelineOf(life),
    errors: Object.fromEntries(errors),
    clock: world.clock,
    ids,
    parallelTools: parallelOf(life),
    ...settings,
    ...kept
  });
  return life;
}
var Following = class {
  turn;
  #what;
  #seen = {};
  constructor(turn, what) {
    this.turn = turn;
    this.#what = what;
    this.#keep("events", this.#events());
    this.#keep("text", this.#text());
    this.#keep(
      "awaited",
      Promise.resolve(turn).then(({ status }) => status)
    );
    this.#keep("result", turn.settled);
  }
  #keep(name, reading) {
    reading.then(
      (value) => {
        this.#seen[name] = value;
      },
      (error) => {
        this.#seen[name] = refusal(error);
      }
    );
  }
  async #events() {
    const events = [];
    for await (const event of this.turn) {
      const { type, seq, text } = event;
      if (/\.text$/.test(type)) events.push(`${type} ${text}`);
      else if (!/delta$/.test(type)) events.push(`${type} ${seq}`);
    }
    return events;
  }
  async #text() {
    let text = "";
    for await (const piece of this.turn.text) text += piece;
    return text;
  }
  tell(life) {
    life.say("result", `${this.#what} ${this.turn.id}`, { ...this.#seen, ended: this.turn.ended });
    life.say("result", "explains", this.turn.explain());
  }
};
function listen(life, chat, hear) {
  chat.subscribe({
    event(event) {
      life.say("event", event.type, event, event.callId);
      hear()(event);
    },
    delta: (delta) => life.say("delta", "delta", delta)
  });
}
var noOne = () => {
};
function messageOf({ text, file: file2 }) {
  if (!file2) return text;
  const data = { text: "aGk=", bytes: new Uint8Array([104, 105]), url: new URL("https://example.org/a.txt") }[file2];
  return {
    role: "user",
    content: [
      { type: "text", text },
      { type: "file", mediaType: "text/plain", data, name: "a.txt" }
    ]
  };
}
var Stage = class {
  life;
  #ground;
  #hear = noOne;
  #following = [];
  constructor(ground, life) {
    this.#ground = ground;
    this.life = life;
  }
  open(chat) {
    this.life.chat = chat;
    listen(this.life, chat, () => this.#hear);
  }
  async send(plan) {
    const { life } = this;
    const controller = new AbortController();
    const chat = await this.#placed(plan);
    if (life.dead) return;
    const use = plan.use ? { use: [middlewareOf(life, plan.use, "once")] } : {};
    try {
      const turn = chat.send(messageOf(plan), {
        signal: controller.signal,
        ...use,
        ...plan.tag ? { tag: { n: 1 } } : {}
      });
      await this.run(turn, chat, controller);
    } catch (error) {
      life.say("person", `send refused ${refusal(error)}`);
    }
  }
  async #placed({ place, pick }) {
    const { chat, world } = this.life;
    const nodes = chat.tree;
    const id = nodes[pick % Math.max(1, nodes.length)]?.id;
    if (place === "root") return chat.fork(null);
    if (place === "fork" && id) return chat.fork(id);
    if (place === "checkout" && id) {
      chat.checkout(id)?.catch(() => {
      });
      await world.rest();
    }
    return chat;
  }
  /** Runs a turn to its end, with people meddling. */
  async run(turn, chat, controller = new AbortController()) {
    const { life } = this;
    const scene = { life, chat, turn, controller, follow: (other, what) => this.#follow(other, what) };
    this.#hear = meddle(scene);
    this.#follow(turn, "turn");
    await life.world.rest();
    await this.#toEnd();
    this.#hear = noOne;
  }
  #follow(turn, what) {
    this.#following.push(new Following(turn, what));
  }
  /** Timers fire until nothing runs. Where only a person could go on, one answers; at last one interrupts. */
  async #toEnd() {
    const { life } = this;
    const { world } = this.#ground;
    let fired = 0;
    const isOver = () => life.dead || this.#following.every(({ turn }) => turn.ended);
    for (let answered = 0; !isOver(); ) {
      if (fired < mostTimers && await world.step()) fired++;
      else if (fired < mostTimers && answered++ < 20 && this.#answer()) await world.rest();
      else {
        life.say("person", "interrupts at last");
        for (const { turn } of this.#following) turn.interrupt("at last");
        await world.rest();
        break;
      }
    }
    for (let i = 0; i < 200 && !life.dead && await world.step(); i++) ;
    for (const following of this.#following) following.tell(life);
    this.#following = [];
  }
  #answer() {
    const { life } = this;
    const [first] = life.chat.requests;
    if (!first) return false;
    const given = first.kind === "outcome" ? { outcome: ["happened", "not", "stop"][life.program.seed % 3] } : { decision: "allow", x: 1 };
    try {
      life.chat.answer(first.id, given)?.catch(() => {
      });
      return true;
    } catch (error) {
      life.say("person", `answer refused ${refusal(error)}`);
      return false;
    }
  }
};
var histories = {
  user: [{ role: "user", content: "Before." }],
  assistant: [{ role: "assistant", content: "Said before." }],
  system: [{ role: "system", content: "Be good." }],
  calls: [
    { role: "assistant", content: [{ type: "call", id: "h1", name: "ok", args: {} }] },
    { role: "tool", content: [{ type: "result", id: "h1", name: "ok", status: "ok", value: 1 }] }
  ],
  open: [{ role: "assistant", content: [{ type: "call", id: "h2", name: "ok", args: {} }] }],
  orphan: [{ role: "tool", content: [{ type: "result", id: "h3", name: "ok", status: "ok", value: 2 }] }],
  named: [{ id: "mine", role: "user", content: "Named." }],
  file: [{ role: "user", content: [{ type: "file", mediaType: "text/plain", data: new Uint8Array([104, 105]) }] }]
};
function begin2(stage) {
  const { agent, program } = stage.life;
  const messages = program.history.flatMap((name) => histories[name] ?? []);
  stage.open(agent.conversation({ id: "c", ...messages.length ? { messages } : {} }));
}
function mortally(ground, crash, number) {
  const { library, driver, world } = ground;
  let count = 0;
  let life;
  const isTime = () => ++count === crash?.n;
  const die = () => {
    if (life) life.dead = true;
    world.forget();
  };
  const fateOf = ({ records }) => {
    if (life?.dead) return "die";
    if (crash?.at !== "commit" || !records.length || !isTime()) return "go";
    die();
    return crash.done ? "die behind it" : "die";
  };
  const mortal = driver && mortalStore(library, driver, fateOf, ground.program.store === "later");
  life = createLife(ground, number, mortal?.store);
  life.onPoint = (point) => {
    if (crash?.at !== point || !isTime()) return;
    if (life && point === "tool") life.dying = true;
    if (point === "tool") world.after(0, die);
    else die();
  };
  if (crash?.at === "time") world.after(crash.n, die);
  if (crash?.at === "close") world.after(crash.n, () => void life?.agent.close().then(die, die));
  return { life, mortal };
}

// packages/turnbuckle/test/same/recording.ts
var Recording = class {
  lines = [];
  #world;
  constructor(world) {
    this.#world = world;
  }
  say(channel, what, value, lane) {
    const text = value === void 0 ? what : `${what} ${plain(value)}`;
    this.lines.push({ channel, lane, at: this.#world.now, text });
  }
};
function canonical(lines, byChannel) {
  const ordered = [];
  let together = [];
  const flush = () => {
    ordered.push(...together.toSorted((a, b) => (a.lane ?? "") < (b.lane ?? "") ? -1 : a.lane === b.lane ? 0 : 1));
    together = [];
  };
  const parted = byChannel ? lines.toSorted((a, b) => a.channel < b.channel ? -1 : a.channel === b.channel ? 0 : 1) : lines;
  for (const line of parted) {
    const [first] = together;
    if (first && (line.lane === void 0 || line.at !== first.at || byChannel && line.channel !== first.channel))
      flush();
    if (line.lane === void 0) ordered.push(line);
    else together.push(line);
  }
  flush();
  return subAgentsLast(ordered).map(({ channel, at, text }) => `${at} ${channel} ${text}`);
}
function subAgentsLast(lines) {
  const ordered = [];
  const held = [];
  let at = Number.NaN;
  for (const line of lines) {
    if (line.at !== at) ordered.push(...held.splice(0));
    at = line.at;
    if (line.channel === "hook" && /^below\.|"turnId":"turn_\d+_below/.test(line.text)) held.push(line);
    else ordered.push(line);
  }
  return [...ordered, ...held];
}

// packages/turnbuckle/test/same/world.ts
var nextImmediate = setImmediate;
var epoch = 18e11;
var World = class {
  now = 0;
  #order = 0;
  #timers = /* @__PURE__ */ new Set();
  #soon = [];
  clock = { now: () => this.now, after: (ms, run) => this.after(ms, run) };
  after(ms, run) {
    const timer = { at: this.now + Math.max(0, ms), order: this.#order++, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }
  sleep(ms) {
    return new Promise((resolve) => this.after(ms, resolve));
  }
  /** Lets every promise and every timer of zero milliseconds come to rest. */
  async rest() {
    for (; ; ) {
      await new Promise((resolve) => nextImmediate(resolve));
      const run = this.#soon.shift();
      if (!run) return;
      run();
    }
  }
  /** Fires the next timer that is due by `end`. False when there is none. */
  async step(end = Infinity) {
    let due;
    for (const timer of this.#timers)
      if (timer.at <= end && (!due || timer.at < due.at || timer.at === due.at && timer.order < due.order))
        due = timer;
    if (!due) return false;
    this.#timers.delete(due);
    this.now = Math.max(this.now, due.at);
    due.run();
    await this.rest();
    return true;
  }
  /** The process has died: none of its timers will fire. */
  forget() {
    this.#timers.clear();
    this.#soon = [];
  }
  /** Puts this clock in the place of the process's timers. Returns how to put them back. */
  install() {
    const kept = { setTimeout, clearTimeout, setInterval, clearInterval, now: Date.now };
    const handle = (cancel) => ({ cancel, unref: () => {
    }, ref: () => {
    } });
    const later2 = (run, ms = 0) => {
      if (ms > 0) return handle(this.after(ms, run));
      let live = true;
      this.#soon.push(() => live && run());
      return handle(() => {
        live = false;
      });
    };
    const clear = (timer) => timer?.cancel?.();
    const never2 = () => handle(() => {
    });
    Object.assign(globalThis, { setTimeout: later2, clearTimeout: clear, setInterval: never2, clearInterval: clear });
    Date.now = () => epoch + this.now;
    return () => {
      const { now: now2, ...timers } = kept;
      Object.assign(globalThis, timers);
      Date.now = now2;
    };
  }
};

// packages/turnbuckle/test/same/run-program.ts
async function runProgram(program, cast, place) {
  const world = new World();
  const recording = new Recording(world);
  const uninstall = world.install();
  const unhandled = (error) => recording.say("result", `unhandled ${refusal(error)}`);
  process.on("unhandledRejection", unhandled);
  try {
    await playLives(program, cast, place, world, recording);
  } catch (error) {
    recording.say("person", `program refused ${refusal(error)}`);
  } finally {
    await world.rest();
    uninstall();
    process.off("unhandledRejection", unhandled);
    await place?.close();
  }
  return canonical(recording.lines, program.store !== "none");
}
async function playLives(program, cast, place, world, recording) {
  let turn = 0;
  for (let number = 1; ; number++) {
    const library = cast(number);
    const driver = place?.open(library).driver;
    const ground = { library, program, world, recording, driver };
    const { life, mortal } = mortally(ground, program.crashes[number - 1], number);
    const stage = new Stage(ground, life);
    if (number === 1) await beginFirst(stage);
    else await resume(stage);
    for (; turn < program.turns.length && !life.dead; turn++) {
      const plan = program.turns[turn];
      if (plan) await stage.send(plan);
    }
    if (!life.dead) return finish(life, driver);
    await world.rest();
    world.forget();
    mortal?.end();
    recording.say("person", `died	${await countEvents(driver)}`);
  }
}
async function countEvents(driver) {
  let count = 0;
  for (const { seq } of await driver?.list({ limit: 100 }) ?? []) count += seq;
  return count;
}
function interruptSoon({ program: { seed }, world }, turn) {
  if (seed % 5 === 0) world.after(seed % 2 ? 1 + seed % 400 : 0, () => turn.interrupt("on resume"));
}
async function beginFirst(stage) {
  const { life } = stage;
  if (life.program.store === "later") stage.open(await driven(life.world, life.agent.open("c")));
  else begin2(stage);
}
async function resume(stage) {
  const { life } = stage;
  const chat = await driven(life.world, life.agent.open("c"));
  stage.open(chat);
  await driven(life.world, chat.load());
  for (const id of chat.unfinished) life.say("result", "unfinished", [id, chat.partial(id), chat.told(id)]);
  life.say("result", "waiting", chat.requests);
  if (life.program.seed % 2) await answerWaiting(life);
  for (let i = 0; i < 4 && !life.dead; i++) {
    const turn = life.agent.resume("c");
    if (!turn) return;
    interruptSoon(life, turn);
    await stage.run(turn, chat);
  }
}
async function answerWaiting(life) {
  const { chat, world } = life;
  for (const { id, kind } of [...chat.requests, ...chat.requests])
    try {
      const answer = kind === "outcome" ? { outcome: "not" } : { decision: "allow", x: 2 };
      const kept = chat.answer(id, answer);
      if (kept) await driven(world, kept);
    } catch (error) {
      life.say("person", `answer refused ${refusal(error)}`);
    }
}
async function driven(world, promise) {
  let settled = false;
  const done = () => {
    settled = true;
  };
  promise.then(done, done);
  await world.rest();
  while (!settled && await world.step()) ;
  if (!settled) throw new Error("It never ends.");
  return promise;
}
async function finish(life, driver) {
  const { chat, agent, world } = life;
  life.onPoint = () => {
  };
  await driven(world, chat.load());
  life.say("result", "tree", chat.tree);
  const { title, head } = chat;
  life.say("result", "conversation", { title, head, requests: chat.requests, unfinished: chat.unfinished });
  life.say("result", "middleware", agent.middleware);
  const parents = new Set(chat.tree.map(({ parentId }) => parentId));
  const leaves = chat.tree.filter(({ id }) => !parents.has(id));
  for (const { id } of leaves) life.say("result", `branch ${id}`, chat.fork(id).messages);
  life.quiet = true;
  try {
    await driven(world, agent.close());
  } catch (error) {
    life.say("store", `close ${refusal(error)}`);
  }
  await world.rest();
  if (driver) await tellStore(life, driver);
  if (driver && life.program.seed % 4 === 0) await driven(world, tellMore(life, driver));
}
async function tellStore(life, driver) {
  for (const { n, caller: _caller, ...row } of await driver.list({ limit: 100 })) {
    const { id } = row;
    life.say("store", "row", row);
    sayEvents(life, "event", await driver.records(id, { after: 0 }), n);
    for (const node of await driver.nodes(id)) life.say("store", "node", node);
    life.say("store", "states", await driver.states(id));
    life.say("store", "requests", await driver.requests({ conversation: id }));
    for (const turn of await driver.turns({ conversation: id })) {
      life.say("store", "turn", turn);
      sayEvents(life, "record", await driver.records(id, { turn: turn.id }), n);
    }
  }
}
function sayEvents(life, what, records, last) {
  const places = [0, ...records.map(({ n }) => n), last + 1];
  if (places.some((n, i) => n <= (places[i - 1] ?? -1))) life.say("store", `${what}s are not in order`, places);
  for (const { n, ...event } of records) if (event.seq !== void 0) life.say("store", what, event);
}
async function tellMore(life, driver) {
  const { createStore, exportConversation, importConversation, replay } = life.library.stores;
  const store = createStore(driver);
  const use = life.program.seed % 8 ? [life.library.ready.stepLimit(1)] : [];
  const { head } = await store.conversation("c") ?? {};
  life.say("store", "found", await store.search({ text: "said" }));
  if (head) life.say("store", "path", await store.path("c", head, 3));
  for (const { id, status } of await store.turns({ conversation: "c" })) {
    life.say("store", `decisions ${id}`, await store.decisions("c", id));
    if (status === "open") continue;
    const replaying = replay(store, { id, conversation: "c" }, { use });
    await replaying.then(
      (replayed) => tellReplay(life, replayed),
      (error) => life.say("store", `not replayed ${refusal(error)}`)
    );
  }
  if (!head) return;
  life.say("store", "exported", [await exportConversation(store, "c", "md")]);
  try {
    await importConversation(store, await exportConversation(store, "c"), { id: "imported" });
    life.say("store", "imported", await store.nodes("imported"));
  } catch (error) {
    life.say("store", `not imported ${refusal(error)}`);
  }
}
function tellReplay(life, { result, usage: _usage, texts, unverified, ...replayed }) {
  const { messages, usage: _used, ...rest } = result;
  life.say("store", "replayed", {
    ...replayed,
    ...replayed.divergence || result.status === "interrupted" ? rest : { ...rest, messages }
  });
}

// packages/turnbuckle/test/same/comparison.ts
var Comparison = class {
  #before;
  #now;
  #places;
  constructor(before3, now2, places) {
    this.#before = before3;
    this.#now = now2;
    this.#places = places;
  }
  /** Gives the first difference, or undefined. A program `across` versions is begun by the version before in both cases. */
  async differ(program) {
    const now2 = await this.#playNow(program);
    return firstDifference(program, await this.#play(program, () => this.#before), now2);
  }
  /** The same for a program as it was generated: where the outcome before is known, only the new version plays. */
  async differGenerated(program, known) {
    const now2 = await this.#playNow(program);
    if (known.has(program, now2)) return { now: now2, difference: void 0 };
    const before3 = await this.#play(program, () => this.#before);
    known.add(program, before3);
    return { now: now2, difference: firstDifference(program, before3, now2) };
  }
  #playNow(program) {
    const isBegun = (life) => program.kind === "across" && life === 1;
    return this.#play(program, (life) => isBegun(life) ? this.#before : this.#now);
  }
  #play(program, cast) {
    return runProgram(program, cast, this.#places.for(program));
  }
};
function firstDifference(program, before3, now2) {
  const length = Math.max(before3.length, now2.length);
  for (let i = 0; i < length; i++)
    if (!sameLine(before3[i] ?? "", now2[i] ?? ""))
      return { program, common: before3.slice(0, i), before: before3[i], now: now2[i], lines: { before: before3, now: now2 } };
  return void 0;
}

// packages/turnbuckle/test/same/places.ts
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
var Places = class {
  #folder;
  #databases = /* @__PURE__ */ new Map();
  constructor(folder) {
    this.#folder = folder;
  }
  for({ store, kind }) {
    if (store === "none") return void 0;
    if (kind === "across") return filePlace(this.#folder);
    return store === "sqlite" ? this.#sharedPlace() : memoryPlace();
  }
  #sharedPlace() {
    let store;
    return {
      open: (library) => {
        store ??= this.#database(library);
        return store;
      },
      async close() {
        for (const { id } of await store?.list({ limit: 1e3 }) ?? []) await store?.delete(id);
      }
    };
  }
  #database(library) {
    const known = this.#databases.get(library);
    if (known && known.used++ < 200) return known.store;
    known?.store.close();
    const store = library.stores.sqliteStore(":memory:");
    this.#databases.set(library, { store, used: 1 });
    return store;
  }
};
function memoryPlace() {
  let store;
  return {
    open({ stores }) {
      store ??= stores.memoryStore();
      return store;
    },
    async close() {
    }
  };
}
function filePlace(folder) {
  const home = mkdtempSync(join(folder, "across-"));
  const opened = [];
  return {
    open({ stores }) {
      const store = stores.sqliteStore(join(home, "c.db"));
      opened.push(store);
      return store;
    },
    async close() {
      for (const store of opened) await store.close();
      rmSync(home, { recursive: true, force: true });
    }
  };
}

// packages/turnbuckle/test/same/instants.ts
var instantOf = (line) => line === void 0 ? Infinity : Number.parseInt(line, 10);
function dataOf(line) {
  try {
    return JSON.parse(line.slice(line.search(/[[{]/)));
  } catch {
    return {};
  }
}
var interruptedStage = / hook (span|\S+\.onTrace) .*"kind":"stage","stage":"(?!generate).*"status":"interrupted"/;
function interruptsIn(lines) {
  const interrupts = /* @__PURE__ */ new Map();
  for (const line of lines) {
    if (!/ event turn\.interrupted /.test(line) && !interruptedStage.test(line)) continue;
    const { turnId } = dataOf(line);
    interrupts.set(turnId, Math.min(instantOf(line), interrupts.get(turnId) ?? Infinity));
  }
  return interrupts;
}
var limitError = /(throws|caught) (error: (too slow|signalled)|\S+timeout:|turn\.late:)/;
var limitedSpan = / hook (span|\S+\.onTrace) .*"error":"(too slow|signalled|[^"]*took longer than|The turn's \d+ ms were over)/;
var limitedCall = / event tool\.failed .*"status":"timeout"/;
function limitsIn(lines, { settings: { cleanupMs } }) {
  const deadlines = [...interruptsIn(lines).values()].map((instant) => instant + cleanupMs);
  const ended = lines.filter((line) => [limitError, limitedSpan, limitedCall].some((sign) => sign.test(line)));
  return /* @__PURE__ */ new Set([...deadlines, ...ended.map(instantOf)]);
}
var cutCall = / hook \S+\.wrapGenerate throws turn\.interrupted| hook (span|\S+\.onTrace) .*"stage":"generate".*"error":"The turn was interrupted\."/;
var endedCall = / hook (not generated |(span|\S+\.onTrace) .*"kind":"stage","stage":"generate")/;
function cutCallsIn(lines) {
  const interrupts = new Set(interruptsIn(lines).values());
  const isCut = (line) => cutCall.test(line) || endedCall.test(line) && interrupts.has(instantOf(line));
  return new Set(lines.filter(isCut).map(instantOf));
}
var passingChunk = /^\d+ hook (\S+\.onChunk |(span|\S+\.onTrace) .*"at":"onChunk".*"error":"The turn was interrupted\.")/;
function cutChunksIn(lines) {
  const instants = new Set(interruptsIn(lines).values());
  const passing = lines.filter((line) => passingChunk.test(line)).map(instantOf);
  return new Set(passing.filter((instant) => instants.has(instant)));
}
var cutsIn = (lines, program) => /* @__PURE__ */ new Set([...interruptsIn(lines).values(), ...limitsIn(lines, program)]);
function laneOf2(line) {
  const [turn = ""] = /turn_\d+_(below)?\d+/.exec(line) ?? [];
  const [, , call = ""] = /"(callId|id)":"((?:call|below)_[^"]*)"/.exec(line) ?? [];
  return turn || call ? `${turn} ${call}` : /^\d+ (\w+ \S+)/.exec(line)?.[1] ?? "";
}
function batchesIn(lines) {
  const calls = /* @__PURE__ */ new Map();
  for (const line of lines) {
    const callId = /^\d+ hook \S+Tool .*"call":\{"type":"call","id":"([^"]*)"/.exec(line)?.[1];
    if (callId === void 0) continue;
    const together = calls.get(instantOf(line)) ?? /* @__PURE__ */ new Set();
    calls.set(instantOf(line), together.add(callId));
  }
  return new Set([...calls].filter(([, ids]) => ids.size > 1).map(([instant]) => instant));
}
function meetingsIn(lines) {
  const instants = new Set(interruptsIn(lines).values());
  return new Set([...instants].filter((instant) => turnsIn(lines, instant).size > 1));
}
function turnsIn(lines, instant) {
  const ids = lines.flatMap((line) => {
    const turnId = /^\d+ (hook|event|delta) .*"turnId":"([^"]+)"/.exec(line)?.[2];
    return turnId === void 0 || instantOf(line) !== instant ? [] : [turnId];
  });
  return new Set(ids);
}
var deathsIn = (lines) => lines.flatMap((line) => {
  const died = / person died\t(\d+)$/.exec(line);
  return died ? [{ at: instantOf(line), events: Number(died[1]) }] : [];
});

// packages/turnbuckle/test/same/instead.ts
var ownersOf = ({ owners, turns }) => [
  ...owners,
  ...turns.flatMap(({ use }) => use ?? [])
];
var hasPlan = (program, is) => ownersOf(program).some(({ hooks }) => hooks.some(is));
var hasAct = (program, act3, hook = /./) => hasPlan(program, (plan) => act3.test(plan.act) && hook.test(plan.hook));
function withPlans(program, change) {
  const changed3 = (owner, name) => ({
    ...owner,
    hooks: owner.hooks.map((plan) => change(plan, name))
  });
  const turns = program.turns.map((turn) => turn.use ? { ...turn, use: changed3(turn.use, "once") } : turn);
  return { ...program, owners: program.owners.map((owner, i) => changed3(owner, `m${i}`)), turns };
}
var withoutAct = (program, act3, hook) => withPlans(program, (plan) => act3.test(plan.act) && hook.test(plan.hook) ? { ...plan, act: "watch" } : plan);
var watched = (program) => ({
  ...program,
  owners: [...program.owners, { guard: false, priority: 100, watches: "stages", hooks: [] }]
});
var diesIn = ({ crashes }, place) => crashes.some(({ at }) => at === place);
function dyingAtRest({ program, lines }) {
  const [before3, now2] = [deathsIn(lines.before), deathsIn(lines.now)];
  const deaths = now2.length > before3.length ? now2 : before3;
  const crashes = deaths.map(({ at }, i) => ({ at: "time", n: at - (deaths[i - 1]?.at ?? 0), done: true }));
  return { ...program, crashes };
}
function countedIn(lines, instants) {
  const [seen, twice] = [/* @__PURE__ */ new Set(), /* @__PURE__ */ new Set()];
  for (const line of lines) {
    const hook = /^\d+ hook (\S+) \{/.exec(line)?.[1];
    if (!hook || !instants.has(instantOf(line))) continue;
    const call = `${instantOf(line)} ${hook}`;
    if (seen.has(call)) twice.add(hook);
    seen.add(call);
  }
  return twice;
}
function withoutCounting(instantsIn) {
  const program = (given, { lines }) => {
    const counted = countedIn(lines.before, instantsIn(lines.before, given));
    const acts2 = ({ hook, at }, owner) => at === -1 || !counted.has(`${owner}.${hook}`);
    return withPlans(given, (plan, owner) => acts2(plan, owner) ? plan : { ...plan, act: "watch" });
  };
  const is = (difference) => JSON.stringify(program(difference.program, difference)) !== JSON.stringify(difference.program);
  return { is, program };
}

// packages/turnbuckle/test/same/named-differences.ts
var isLateFailure = (line) => lateHookOf(line) !== void 0;
var isGuardedAgain = (line) => / hook \S+\.beforeTool .*"resumed":true/.test(line);
var isToggled = (program) => hasAct(program, /^(use|disable|enable)$/) || program.people.some(({ does }) => /^(use|unuse|disable|enable)$/.test(does));
var isInterruptAt = (event, { when, does }) => "event" in when && when.event === event && /interrupt|breakIn/.test(does);
var isWithMessage = (plan) => isInterruptAt("message.added", plan);
var isWithMove = (plan) => isInterruptAt("head.moved", plan);
var isInterrupted = (line = "") => / event (turn\.interrupted|tool\.failed .*"status":"interrupted")/.test(line);
var refusalsIn = (lines) => lines.filter((line) => /There is no tool/.test(line)).length;
var isWaitingBefore = ({ hook, wait, act: act3 }) => /^before/.test(hook) && (typeof wait === "number" || /^(ask|generate|agentSend|forkSend|sleep)/.test(act3));
function lateHookOf(line) {
  if (!/ event (hook\.failed .*|.*"type":"hook\.failed".*)"point":"before/.test(line)) return void 0;
  const { turnId, turn, body, ...event } = dataOf(line);
  const { name, point } = { ...event, ...body };
  return turnId === void 0 && turn === void 0 ? `${name}.${point}` : void 0;
}
function cutBeforeHooksIn(lines) {
  const interrupts = interruptsIn(lines);
  return (line) => / hook (span|\S+\.onTrace) .*"kind":"hook","at":"before/.test(line) && instantOf(line) >= (interrupts.get(dataOf(line)["turnId"]) ?? Infinity);
}
var usageInDraft = /,"usage":\{"inputTokens":\d+,"outputTokens":\d+(,"cost":[\d.]+)?\}(?=\},"path")/;
var spanPlace = /(onOpen|onTrace|span) \{"id":\d+,("parentId":\d+,)?/;
function withFreeHooks(lines, instants) {
  const isFree = (line) => instants.has(instantOf(line)) && /^\d+ hook /.test(line);
  const free = lines.filter(isFree).map((line) => line.replace(spanPlace, "$1 {"));
  return [...lines.filter((line) => !isFree(line)), ...free.toSorted()];
}
var namedDifferences = [
  {
    name: "a before hook that an interrupt cut off had no end: its span stayed open, its failure was told later",
    level: (lines) => {
      const isCut = cutBeforeHooksIn(lines);
      return lines.filter((line) => !isCut(line) && !isLateFailure(line));
    },
    instead: {
      is: ({ program, lines }) => lines.before.some(isLateFailure) || (hasAct(program, /^(?!watch$)/, /^onTrace$/) || diesIn(program, "hook")) && lines.now.some(cutBeforeHooksIn(lines.now)),
      program: (given, difference) => {
        const { lines } = difference;
        const program = diesIn(given, "hook") ? dyingAtRest(difference) : given;
        const late = new Set(lines.before.map(lateHookOf));
        const acts2 = ({ hook }, owner) => hook !== "onTrace" && !late.has(`${owner}.${hook}`);
        return withPlans(program, (plan, owner) => acts2(plan, owner) ? plan : { ...plan, act: "watch" });
      }
    }
  },
  {
    name: "the order in which wraps and the hooks behind them unwind at the moment a limit ends them was never promised",
    level: (lines, program) => {
      const limits = limitsIn(lines, program);
      const isSeen = (line) => limits.has(instantOf(line)) && /^\d+ hook /.test(line);
      return withFreeHooks(lines, limits).map((line) => isSeen(line) ? line.replace(usageInDraft, "") : line);
    },
    instead: withoutCounting(limitsIn)
  },
  {
    name: "the order in which model calls of hooks unwind that the end of their turn cuts off was never promised",
    level: (lines) => {
      const cut = cutCallsIn(lines);
      const isSeen = (line) => cut.has(instantOf(line)) && /^\d+ hook \S+Generate /.test(line);
      return withFreeHooks(lines, cut).map((line) => isSeen(line) ? line.replace(/"errors":\d+/, "") : line);
    },
    instead: withoutCounting(cutCallsIn)
  },
  {
    name: "the order of the hooks of two turns in the moment one of them is interrupted was never promised",
    level: (lines) => withFreeHooks(lines, meetingsIn(lines)),
    instead: withoutCounting(meetingsIn)
  },
  {
    name: "the order among the turns, calls and attempts that one interrupt, deletion or limit ends was never promised",
    level: (lines, program) => {
      const cuts = cutsIn(lines, program);
      const isCut = (line) => cuts.has(instantOf(line)) && /^\d+ (hook|event) /.test(line);
      const freed = (line) => line.replace(/"seq":\d+,/, "").replace(usageInDraft, "");
      const cut = lines.filter(isCut).map((line) => ({ line: freed(line), lane: laneOf2(line) }));
      const inLanes = cut.toSorted((a, b) => a.lane < b.lane ? -1 : Number(a.lane > b.lane));
      return [...lines.filter((line) => !isCut(line)), ...inLanes.map(({ line }) => line)];
    }
  },
  {
    name: "the order in which onChunk hooks and the stages around them unwind at an interrupt was never promised",
    level: (lines) => withFreeHooks(lines, cutChunksIn(lines)),
    instead: withoutCounting(cutChunksIn)
  },
  {
    name: "the order of two turns that people let go on in the same moment was never promised",
    instead: {
      is: ({ program, before: before3, now: now2, lines }) => program.people.some(({ when }) => "event" in when) && instantOf(before3) === instantOf(now2) && turnsIn(lines.before, instantOf(before3)).size > 1,
      program: (program) => ({ ...program, people: program.people.filter(({ when }) => "ms" in when) })
    }
  },
  {
    name: "whether an interrupt that is made as a message is told comes before what ends in the same moment was never promised",
    instead: {
      is: ({ program, before: before3, now: now2 }) => program.people.some(isWithMessage) && instantOf(before3) === instantOf(now2) && isInterrupted(before3) !== isInterrupted(now2),
      program: (program) => ({ ...program, people: program.people.filter((plan) => !isWithMessage(plan)) })
    }
  },
  {
    name: "the order in which calls of one batch add their errors to the draft in the same moment was never promised",
    level: (lines, program) => {
      const together = /* @__PURE__ */ new Set([...batchesIn(lines), ...cutsIn(lines, program)]);
      const isSeen = (line) => together.has(instantOf(line)) && /^\d+ hook \S+(Tool|\.onError) /.test(line);
      return lines.map((line) => isSeen(line) ? line.replace(/"errors":\d+/, "") : line);
    }
  },
  {
    name: "the decisions on a turn that come after its interrupt, in the same moment, were never promised to be in the log",
    level: (lines) => {
      const interrupts = interruptsIn(lines);
      const isOf = (line) => interrupts.has(/ store decisions (\S+) /.exec(line ?? "")?.[1]);
      return lines.filter((line, i) => !isOf(line) && !(/ store replayed /.test(line) && isOf(lines[i - 1])));
    }
  },
  {
    name: "the place of spans in a turn that is traced only from its middle on was never promised",
    level: (lines, program) => isToggled(program) ? lines.map((line) => line.replace(spanPlace, "$1 {").replace(/"depth":\d+,/, "")) : lines
  },
  {
    name: "an interrupt while the failure of a before hook was told did not count where the hook had not waited",
    instead: {
      is: ({ lines }) => lines.before.some((line) => / event hook\.failed .*"point":"before/.test(line)),
      program: (program) => withPlans(
        program,
        (plan) => /^before/.test(plan.hook) && plan.wait === "none" ? { ...plan, wait: "micro" } : plan
      )
    }
  },
  {
    name: "a built-in stage replaced under its own name was left out, or saw the context of its parent, when it had no hooks",
    instead: {
      is: ({ program }) => program.pipeline.some(({ op }) => op === "replace"),
      // Where hooks are off, no hook can show what the stage does.
      program: (program) => program.pipeline.some(({ op }) => op === "performance") ? { ...program, pipeline: program.pipeline.filter(({ op }) => op !== "replace") } : watched(program)
    }
  },
  {
    name: "hooks that had finished ran again after a crash when the next process had hooks at other stages",
    instead: {
      is: ({ program }) => program.crashes.length > 0 && (program.turns.some(({ use }) => use) || isToggled(program)),
      program: watched
    }
  },
  {
    name: "a call that was refused before a crash ran after it, and no guard was asked",
    level: (lines) => lines.filter((line) => !isGuardedAgain(line)),
    instead: {
      is: ({ program, lines }) => deathsIn(lines.now).length > 0 && (refusalsIn(lines.now) > refusalsIn(lines.before) || lines.now.some(isGuardedAgain) || program.ready.some((name) => /^(dryRun|approval)$/.test(name)) && program.script.some(({ finish: finish2 }) => finish2 === "length")),
      // Calls at the end of a reply that was too long are refused.
      program: (program, difference) => ({
        ...program.crashes.every(({ at }) => at === "time") ? { ...program, crashes: [] } : dyingAtRest(difference),
        script: program.script.map((reply) => reply.finish === "length" ? { ...reply, finish: "stop" } : reply)
      })
    }
  },
  {
    name: "a checkpoint had the instructions that hooks gave after it, until the log was written",
    instead: {
      is: ({ program, before: before3, lines }) => deathsIn(lines.now).length > 0 && hasAct(program, /^(instruct|instructParams|tryOut)$/) && /"instructions":|"params":/.test(before3 ?? ""),
      program: (program) => withoutAct(program, /^(instruct|instructParams|tryOut)$/, /./)
    }
  },
  {
    name: "a rewind to before the first message, read from the log after a crash, fails: the error spoke of a damaged store",
    instead: {
      is: ({ lines }) => lines.before.some((line) => /the message \\"undefined\\" is missing/.test(line)),
      program: (program) => withoutAct(program, /^rewind(Taken|Here)$/, /./)
    }
  },
  {
    name: "the events that one commit takes together were never promised: a process that dies at a commit leaves more, or fewer",
    instead: {
      is: ({ program, lines, before: before3, now: now2 }) => {
        const [deathsBefore, deathsNow] = [deathsIn(lines.before), deathsIn(lines.now)];
        if (deathsBefore.length !== deathsNow.length) return true;
        if (deathsBefore.some(({ events }, i) => events !== deathsNow[i]?.events)) return true;
        const isLast = (line) => deathsBefore.some(({ at }) => at === instantOf(line));
        return diesIn(program, "commit") && (isLast(before3) || isLast(now2));
      },
      program: (_program, difference) => dyingAtRest(difference)
    }
  },
  {
    name: "a limit around a step or a turn did not end the model call inside where a stage between them had hooks",
    instead: {
      is: ({ program, lines }) => hasAct(program, /^until/, /^wrap(Turn|Step)$/) && [...lines.before, ...lines.now].some((line) => /too slow|signalled/.test(line)),
      program: (program) => withoutAct(program, /^until/, /^wrap(Turn|Step)$/)
    }
  },
  {
    name: "an interrupt that came while tool.executing was told still started the tool",
    instead: {
      is: ({ before: before3 }) => /^\d+ tool /.test(before3 ?? ""),
      program: (program) => withoutAct(
        {
          ...program,
          people: program.people.filter((plan) => !isInterruptAt("tool.executing", plan))
        },
        /^interrupt$/,
        /^on(Event|Open|Trace)$/
      )
    }
  },
  {
    name: "a step or turn that a wrap ran twice recorded messages between a call and its result",
    instead: {
      is: ({ program, lines }) => hasAct(program, /^overlap$/, /^wrap(Turn|Step)$/) || hasAct(program, /^twice$/, /^wrap(Turn|Step)$/) && lines.now.some((line) => /cannot be recorded: it must be the result of/.test(line)),
      program: (program) => withoutAct(program, /^(overlap|twice)$/, /^wrap(Turn|Step)$/)
    }
  },
  {
    name: "calls that a hook replaced by something that is no list failed the batch with an error of its own code",
    instead: {
      is: ({ lines }) => lines.before.some((line) => /input\.map is not a function/.test(line)),
      program: (program) => withoutAct(program, /^rename$/, /Tools$/)
    }
  },
  {
    name: "a goto to a stage that there is not failed every later step of the turn too",
    instead: {
      is: ({ lines }) => lines.before.some((line) => /No stage \\?"(moderate|nowhere)\\?" here/.test(line)),
      program: (program) => withoutAct(program, /^goto(Own|Nowhere)$/, /./)
    }
  },
  {
    name: "the before hooks behind one that waited were still called when their turn had been parked",
    instead: {
      is: ({ program }) => (diesIn(program, "close") || program.people.some(({ does }) => does === "close")) && hasPlan(program, isWaitingBefore),
      program: (program) => withPlans(program, (plan) => isWaitingBefore(plan) ? { ...plan, act: "watch" } : plan)
    }
  },
  {
    name: "a model was asked for one more chunk after an interrupt that came while its text was told",
    instead: {
      // Only the moment differs at which everything has come to rest.
      is: ({ program, before: before3, now: now2 }) => program.script.some(({ gap }) => gap > 0) && instantOf(before3) !== instantOf(now2) && before3?.replace(/\d+/g, "") === now2?.replace(/\d+/g, ""),
      program: (program) => ({ ...program, script: program.script.map((reply) => ({ ...reply, gap: 0 })) })
    }
  },
  {
    name: "a reply that a goto of onChunk has left behind is taken up after a crash: the turn ended there, now it fails",
    instead: {
      is: ({ program, lines }) => deathsIn(lines.now).length > 0 && hasAct(program, /^goto/, /^onChunk$/) && lines.now.some((line) => /cannot be recorded: it must be the result of/.test(line)),
      program: (program) => withoutAct(program, /^goto/, /^onChunk$/)
    }
  },
  {
    name: "a turn that the deletion of its conversation had ended was then said to have failed in the store",
    instead: {
      is: ({ before: before3, lines }) => / event turn\.failed .*was deleted.*"by":"store"/.test(before3 ?? "") && !lines.now.some((line) => / event turn\.failed .*was deleted/.test(line)),
      program: (program) => ({ ...program, people: program.people.filter(({ does }) => does !== "delete") })
    }
  },
  {
    name: "chunks that came in one list were still shown when a model call of their hook had failed the turn",
    instead: {
      is: ({ program, lines }) => hasAct(program, /^splitChunk$/, /^onChunk$/) && hasAct(program, /^generate/, /^onChunk$/) && lines.now.some((line) => / event turn\.failed /.test(line)),
      program: (program) => withoutAct(program, /^splitChunk$/, /^onChunk$/)
    }
  },
  {
    name: "a message that a rewind takes along was offered to the append hooks when its turn had been interrupted",
    instead: {
      is: ({ program, before: before3 }) => program.people.some(isWithMove) && / hook \S+\.beforeAppend /.test(before3 ?? ""),
      program: (program) => ({ ...program, people: program.people.filter((plan) => !isWithMove(plan)) })
    }
  },
  {
    name: "a directive for a model call of a hook was listed as one that lost, when the turn had failed before it was given",
    level: (lines) => lines.map(
      (line) => / result explains .*"directive":"fail"/.test(line) ? line.replace(/,\{"directive":"\w+","by":"\w+","at":"\w+Generate"[^{}]*"won":false\}/g, "") : line
    )
  },
  {
    name: "the draft of a step that was interrupted on resume did not count the results that were recorded for it",
    level: (lines) => lines.map(
      (line) => / hook \S+\.after(Step|Tools) .*"resumed":true.*"status":"interrupted"/.test(line) ? line.replace(/"results":\d+/, "") : line
    )
  },
  {
    name: "whether a turn has a cost that a hook sees in the moment of its interrupt was never promised",
    level: (lines) => {
      const instants = new Set(interruptsIn(lines).values());
      const isSeen = (line) => instants.has(instantOf(line)) && / hook looks /.test(line);
      return lines.map((line) => isSeen(line) ? line.replace(/,"cost":0(?=\})/, "") : line);
    }
  },
  {
    name: "which of two failures of one moment ends a turn, of a limit or of a hook behind it, was never promised",
    instead: {
      is: ({ program, before: before3, now: now2 }) => hasAct(program, /^until/, /^wrap/) && [before3, now2].every((line) => / event turn\.failed /.test(line ?? "")),
      program: (program) => withoutAct(program, /^until/, /^wrap/)
    }
  }
];

// packages/turnbuckle/test/same/explain-difference.ts
async function explainDifference(found, differ, depth = 3) {
  const { left, names } = leveled(found);
  if (!left) return names;
  if (!depth) return void 0;
  for (const { name, instead } of namedDifferences) {
    if (!instead?.is(left) && !instead?.is(found)) continue;
    const still = await differ(instead.program(found.program, found));
    const more = still ? await explainDifference(still, differ, depth - 1) : [];
    if (more) return [.../* @__PURE__ */ new Set([name, ...more])];
  }
  return void 0;
}
function leveled({ program, lines }) {
  const unused = namedDifferences.filter(({ level }) => level);
  const names = [];
  let left = firstDifference(program, lines.before, lines.now);
  for (let next = useful(left, unused); next; next = useful(left, unused)) {
    unused.splice(unused.indexOf(next.named), 1);
    names.push(next.named.name);
    left = next.left;
  }
  return { left, names: left ? names : neededOf(names, { program, lines }) };
}
function neededOf(names, { program, lines }) {
  const needed = [...names];
  for (const name of names) {
    const rest = namedDifferences.filter((each) => each.name !== name && needed.includes(each.name));
    const level = (all) => rest.reduce((left, each) => each.level?.(left, program) ?? left, all);
    if (!firstDifference(program, level(lines.before), level(lines.now))) needed.splice(needed.indexOf(name), 1);
  }
  return needed;
}
function useful(difference, unused) {
  if (!difference) return void 0;
  const { program, lines, before: before3, now: now2 } = difference;
  for (const named of unused) {
    const level = (all) => named.level?.(all, program) ?? all;
    const left = firstDifference(program, level(lines.before), level(lines.now));
    if (left?.before !== before3 || left?.now !== now2) return { named, left };
  }
  return void 0;
}

// ../../../tmp/both.ts
var load = async (dist) => ({
  root: await import(pathToFileURL(join2(dist, "index.js")).href),
  stores: await import(pathToFileURL(join2(dist, "stores.js")).href),
  ready: await import(pathToFileURL(join2(dist, "middleware.js")).href)
});
var [before2, now, file] = process.argv.slice(2);
var c = new Comparison(await load(before2), await load(now), new Places("/tmp"));
var programs = JSON.parse((await import("node:fs")).readFileSync(file, "utf8"));
for (const p of programs) {
  const d = await c.differ(p);
  console.log("seed", p.seed, d ? "differs" : "same");
  if (d) {
    console.log(await explainDifference(d, (p2) => c.differ(p2)));
    writeFileSync(`/tmp/${p.seed}.before`, d.lines.before.join("\n"));
    writeFileSync(`/tmp/${p.seed}.now`, d.lines.now.join("\n"));
  }
}
process.exit();
