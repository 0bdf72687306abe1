import { TurnbuckleError } from 'turnbuckle'

/** Rights of a person: an owner may what a member may, a member what a viewer may. */
export type Role = 'owner' | 'member' | 'viewer'

const ranks: Readonly<Record<Role, number>> = { viewer: 0, member: 1, owner: 2 }

/** Tells the role of a person whom the access check has let in. */
export type RoleOf = (person: string) => Role

export const hasRole = (roleOf: RoleOf, person: string, needed: Role): boolean => ranks[roleOf(person)] >= ranks[needed]

/** The one check of roles: throws `role.missing` with what the person wanted to do. */
export function demandRole(roleOf: RoleOf, person: string, needed: Role, act: string): void {
  if (!hasRole(roleOf, person, needed))
    throw new TurnbuckleError('role.missing', `Only ${needed}s ${act}. You are a ${roleOf(person)} here.`)
}
