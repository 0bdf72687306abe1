import { TurnbuckleError } from 'turnbuckle'
import type { Role, RoleOf } from './roles.ts'

/** What a person may do in one conversation, from least to most: others share it to read or to talk in. */
export const accesses = ['read', 'talk', 'own'] as const
export type Access = (typeof accesses)[number]

interface Right {
  /** Ends the sentence "Only owners …". */
  readonly does: string
  readonly may: Readonly<Record<Role, boolean>>
  /** For an act on one conversation: the least access that the person needs to it. */
  readonly needs?: Access
}

const everyone = { owner: true, member: true, viewer: true }
const members = { owner: true, member: true, viewer: false }
const owners = { owner: true, member: false, viewer: false }

/**
 * Who may do what: the one table of rights. Every call of the contract names its act here, and docs/people.md shows it. An owner's
 * role gives no access to the conversations of others.
 */
export const rights = {
  lookAround: {
    does: 'see their name and role, the middleware, and questions that name them',
    may: everyone,
  },
  readConversation: { does: 'read, follow, search and export a conversation', may: everyone, needs: 'read' },
  makeConversation: { does: 'make and import conversations, upload files, see the models', may: members },
  talk: {
    does: 'send, now or by a schedule, stop and interject, rename, move the head, choose its model, instructions and parameters',
    may: members,
    needs: 'talk',
  },
  answer: { does: 'answer questions and vote, for once or for the conversation', may: members },
  keepConversation: {
    does: 'delete a conversation, hide and restore its messages, share it',
    may: members,
    needs: 'own',
  },
  switchInConversation: { does: 'switch a middleware for one conversation', may: members, needs: 'own' },
  seeTools: { does: 'see the tools and the MCP servers', may: members },
  revokePermission: { does: 'list and revoke their own permissions', may: members },
  grantLasting: { does: 'give and revoke lasting permissions (project, always)', may: owners },
  switchGuard: { does: 'switch a guard', may: owners },
  switchForEveryone: { does: 'switch a middleware for everyone', may: owners },
  managePeople: { does: 'list people, make and revoke their tokens', may: owners },
  readAudit: { does: 'read the audit list', may: owners },
  changeSettings: { does: 'see and change the settings and keys, trust hooks and MCP servers', may: owners },
} as const satisfies Readonly<Record<string, Right>>

export type Act = keyof typeof rights

/** The acts on one conversation. */
export type ConversationAct = { [Name in Act]: (typeof rights)[Name] extends { needs: Access } ? Name : never }[Act]

export const hasRight = (roleOf: RoleOf, person: string, act: Act): boolean => rights[act].may[roleOf(person)]

/** The one check of roles: throws `role.missing` with what the person wanted to do. */
export function demandRight(roleOf: RoleOf, person: string, act: Act): void {
  if (hasRight(roleOf, person, act)) return
  const who = rights[act].may.member ? 'owners and members' : 'owners'
  throw new TurnbuckleError('role.missing', `Only ${who} ${rights[act].does}. You are a ${roleOf(person)} here.`)
}

/** The one check of a person's access to a conversation that they know of: throws `role.missing` where it is too little. */
export function demandAccess(access: Access, owner: string, act: ConversationAct): void {
  if (accesses.indexOf(access) >= accesses.indexOf(rights[act].needs)) return
  throw new TurnbuckleError(
    'role.missing',
    `This conversation is ${owner}’s, and shared with you to ${access === 'read' ? 'read' : 'talk in'}.`,
  )
}
