import type { ComponentType } from 'react'
import type { PersonRole } from 'turnbuckle/client'
import { McpSection } from './mcp/mcp-section.tsx'
import { MiddlewareSection } from './middleware/middleware-section.tsx'
import { BehaviourSection } from './models/behaviour-section.tsx'
import { ModelsSection } from './models/models-section.tsx'
import { AuditSection } from './people/audit-section.tsx'
import { PeopleSection } from './people/people-section.tsx'
import { ToolsSection } from './tools/tools-section.tsx'

interface SettingsSection {
  /** The last part of its address. */
  readonly id: string
  readonly label: string
  readonly roles: readonly PersonRole[]
  readonly View: ComponentType
}

/** The sections of the settings, and the roles that see each. The server refuses what a role lacks. */
const sections: readonly SettingsSection[] = [
  { id: 'models', label: 'Models and keys', roles: ['owner'], View: ModelsSection },
  { id: 'behaviour', label: 'Instructions and parameters', roles: ['owner'], View: BehaviourSection },
  { id: 'tools', label: 'Tools', roles: ['owner', 'member'], View: ToolsSection },
  { id: 'mcp', label: 'MCP servers', roles: ['owner', 'member'], View: McpSection },
  { id: 'middleware', label: 'Middleware and hooks', roles: ['owner', 'member', 'viewer'], View: MiddlewareSection },
  { id: 'people', label: 'People and tokens', roles: ['owner'], View: PeopleSection },
  { id: 'audit', label: 'Audit', roles: ['owner'], View: AuditSection },
]

export const sectionsFor = (role: PersonRole): readonly SettingsSection[] =>
  sections.filter(({ roles }) => roles.includes(role))
