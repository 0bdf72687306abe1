/** Scenarios of the suite that are not passed, each with its reason. Any other that fails is a fault, and so is one of these that passes. */
export const namedDifferences = {
  server: {
    'server-sse-polling':
      'Streams that a server ends in mid-call and resumes later (SEP-1699) need a store of sent events; we keep a stream open with comments instead. The suite does not score it.',
    'input-required-result-non-tool-request':
      'A prompt is made from its arguments alone: it is no turn, so nothing in it can ask.',
    'http-custom-header-server-validation':
      'Arguments that are repeated in headers (x-mcp-header) are for gateways; an agent’s tools declare none, so there is nothing to compare. The suite does not score it.',
  },
  client: {
    'http-custom-headers':
      'The scenario wants `null` sent for an argument whose schema says string. Arguments are checked against the schema first, so that call is an error here and never leaves.',
  },
}

/** Beginnings of scenarios that belong to extensions of the protocol that are not spoken here. */
export const otherExtensions = {
  server: { 'tasks-': 'the tasks extension: a call is a turn, and waits', 'sep-2640-': 'the skills extension' },
  client: {
    'auth/enterprise-managed-authorization': 'a provider of the SDK does it (`auth`), with an identity server',
    'auth/dpop': 'a provider of the SDK does it (`auth`)',
    'auth/wif-jwt-bearer': 'a provider of the SDK does it (`auth`), with a workload’s identity',
    'sep-2640-': 'the skills extension',
  },
}
