// The checker: what the logs, the witnesses and the people who talked have to agree on.

/** The problems of a run, each a sentence that begins with its invariant. */
export function problemsOf({ logs, witnesses, talkers, stillOpen, noise }) {
  const began = groupBy(
    witnesses.filter(({ began }) => began !== undefined),
    ({ key }) => key,
  )
  const problems = [
    ...talkers.flatMap(({ problems }) => problems.map(problem => `I7 ${problem}`)),
    ...stillOpen.map(turn => `I5 ${turn} has not ended`),
    ...noise.map(line => `I6 ${line}`),
  ]
  const runs = groupBy(
    witnesses.filter(({ began }) => began !== undefined),
    ({ began: name }) => name,
  )
  for (const talker of talkers) {
    const events = logs[talker.id] ?? []
    problems.push(...sequenceProblems(talker, events), ...turnProblems(talker, events), ...callProblems(events))
    problems.push(
      ...rerunProblems(talker, events, runs),
      ...permissionProblems(events, began),
      ...deadlineProblems(events),
    )
    problems.push(...subAgentProblems(talker, events, { logs, began }), ...paidTwice(talker, witnesses))
  }
  return problems
}

export function groupBy(list, keyOf) {
  const groups = new Map()
  for (const one of list) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}

/** I1, I7: numbers without gaps, and everything that somebody heard is there as it was heard. */
function sequenceProblems({ id, heard }, events) {
  const gaps = events
    .filter(({ seq }, i) => seq !== i + 1)
    .map(({ seq }) => `I7 ${id}: ${seq} is out of order in the log`)
  const lost = [...heard.values()]
    .filter(({ seq, type, turnId }) => events[seq - 1]?.type !== type || events[seq - 1]?.turnId !== turnId)
    .map(({ seq, type }) => `I1 ${id}: ${type} was heard as ${seq}, and the log has ${events[seq - 1]?.type}`)
  return [...gaps, ...lost]
}

/** I5: a turn that was acknowledged is in the log, with one beginning and one end. */
function turnProblems({ id, turns }, events) {
  const of = groupBy(events, ({ turnId }) => turnId)
  return turns.flatMap(({ turnId, name }) => {
    const own = of.get(turnId) ?? []
    const starts = own.filter(({ type }) => type === 'turn.started').length
    const ends = own.filter(event => 'outcome' in event && /^turn\./.test(event.type))
    if (starts !== 1) return [`I1 ${id}: ${name} (${turnId}) began ${starts} times`]
    if (ends.length !== 1) return [`I5 ${id}: ${name} (${turnId}) ended ${ends.length} times`]
    return ends[0].outcome === 'completed'
      ? []
      : [`I5 ${id}: ${name} (${turnId}) ${ends[0].outcome}: ${ends[0].reason}`]
  })
}

/** I2, I4: each call of a message has one result, before the next message of the model. */
function callProblems(events) {
  const added = groupBy(
    events.filter(({ type }) => type === 'message.added'),
    ({ turnId }) => turnId,
  )
  return [...added].flatMap(([turnId, messages]) => pairingProblems(turnId, messages))
}

function pairingProblems(turnId, messages) {
  const open = new Set()
  const problems = []
  const pair = part => {
    if (part.type === 'call') open.add(part.id)
    if (part.type === 'result' && !open.delete(part.id)) problems.push(`I2 ${turnId}: ${part.id} has two results`)
  }
  for (const { message } of messages) {
    if (message.role === 'assistant' && open.size) problems.push(`I4 ${turnId}: the model went on with open calls`)
    message.content.forEach(pair)
  }
  return open.size ? [...problems, `I2 ${turnId}: ${[...open].join(', ')} without a result`] : problems
}

/** I3: a tool, of a sub-agent too, ran again only where a person had said that it did not happen. */
function rerunProblems({ name: talker }, events, runs) {
  const calls = new Map(
    events
      .filter(({ type, kind }) => type === 'request.opened' && kind === 'outcome')
      .map(({ requestId, payload }) => [requestId, payload.args?.name]),
  )
  const notHappened = groupBy(
    events.filter(({ type, decision }) => type === 'request.answered' && decision?.outcome === 'not'),
    ({ requestId }) => calls.get(requestId),
  )
  return [...runs]
    .filter(([name]) => name.startsWith(`${talker}x`))
    .flatMap(([name, list]) => {
      const allowed = 1 + (notHappened.get(name)?.length ?? 0)
      return list.length > allowed ? [`I3 ${name} ran ${list.length} times, ${allowed} were allowed`] : []
    })
}

/** I8: the tool that needs a permission did not run without one. */
function permissionProblems(events, began) {
  const allowed = new Set(
    events
      .filter(({ type, decision }) => type === 'request.answered' && decision?.decision === 'allow')
      .map(({ turnId }) => turnId),
  )
  return events
    .filter(({ type, name }) => type === 'tool.executing' && name === 'ask')
    .filter(({ turnId, callId }) => began.has(`${turnId}.${callId}`) && !allowed.has(turnId))
    .map(({ turnId }) => `I8 ${turnId} ran what nobody had allowed`)
}

/** I2, I5, I8 for the sub-agents that turns have called, and for those below: each was begun once by its caller, and has one end; their questions are the topmost turns'. */
function subAgentProblems({ id }, events, { logs, began }) {
  const allowed = new Set(
    events
      .filter(({ type, decision }) => type === 'request.answered' && decision?.decision === 'allow')
      .map(({ turnId }) => turnId),
  )
  const below = (caller, topmost) =>
    [...startedIn(caller)].flatMap(([conversation, [{ turnId }, ...again]]) => {
      const own = logs[conversation] ?? []
      const asked = own.filter(({ type, name }) => type === 'tool.executing' && name === 'ask')
      const ran = asked.some(({ turnId: of, callId }) => began.has(`${of}.${callId}`))
      return [
        ...(again.length ? [`I2 ${id}: ${conversation} was begun ${again.length + 1} times`] : []),
        ...onceProblems(id, conversation, own),
        ...callProblems(own),
        ...(ran && !allowed.has(topmost ?? turnId) ? [`I8 ${conversation} ran what nobody had allowed`] : []),
        ...below(own, topmost ?? turnId),
      ]
    })
  return below(events)
}

const startedIn = events =>
  groupBy(
    events.filter(({ type }) => type === 'agent.started'),
    ({ agentConversationId }) => agentConversationId,
  )

function onceProblems(id, conversation, events) {
  const starts = events.filter(({ type }) => type === 'turn.started').length
  const ends = events.filter(event => 'outcome' in event && /^turn\./.test(event.type))
  const outcomes = ends.map(({ outcome }) => outcome).join(', ')
  return [
    ...(starts === 1 ? [] : [`I5 ${id}: the sub-agent ${conversation} began ${starts} times`]),
    ...(outcomes === 'completed' ? [] : [`I5 ${id}: the sub-agent ${conversation} ended as ${outcomes || 'nothing'}`]),
  ]
}

/** Sub-agents that have worked in another process than their callers did, of all. */
export function workedElsewhere(talkers, witnesses) {
  const models = witnesses.filter(({ model }) => model !== undefined)
  const processes = groupBy(models, ({ model }) => model)
  const subAgents = [...processes].filter(([model]) => model.includes('.'))
  const isOf = new Set(talkers.flatMap(({ turns }) => turns.map(({ name }) => name)))
  const own = subAgents.filter(([model]) => isOf.has(model.split('.')[0]))
  const elsewhere = own.filter(([model, lines]) => {
    const caller = model.slice(0, model.lastIndexOf('.'))
    const ofCaller = new Set(processes.get(caller)?.map(({ pid }) => pid))
    return lines.some(({ pid }) => !ofCaller.has(pid))
  })
  return { elsewhere: elsewhere.length, all: own.length }
}

/** A question that nobody answers goes on to the next person once, and then to its fallback: two that expire for each call. */
function deadlineProblems(events) {
  const late = events.filter(({ type, payload }) => type === 'request.opened' && payload?.name === 'late')
  const expired = new Set(events.filter(({ type }) => type === 'request.expired').map(({ requestId }) => requestId))
  const open = late.filter(({ requestId, kind }) => kind === 'permission' && !expired.has(requestId))
  const asked = groupBy(
    late.filter(({ kind }) => kind === 'permission'),
    ({ turnId }) => turnId,
  )
  return [
    ...open.map(({ requestId }) => `I5 ${requestId} has no end though its time is over`),
    ...[...asked]
      .filter(([, list]) => list.length !== 2)
      .map(([turnId, list]) => `I2 ${turnId}: ${list.length} people were asked, one after the other, and not two`),
  ]
}

/** A reply that the log has is not asked for again: when its call begins to run, the reply is durable. */
function paidTwice({ turns }, witnesses) {
  const first = new Map()
  for (const { began, at } of witnesses)
    if (began !== undefined) first.set(began, Math.min(at, first.get(began) ?? Infinity))
  const names = new Set(turns.map(({ name }) => name))
  // A sub-agent's model is named after the turn and the step that it helps.
  return witnesses
    .filter(
      ({ model, step, at }) => names.has(model?.split('.')[0]) && at > (first.get(`${model}.${step}`) ?? Infinity),
    )
    .map(({ model, step }) => `paid twice: ${model} step ${step}, which the log had`)
}
