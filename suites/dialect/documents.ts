/** What stands in the platform's own documents, to the letter. */

/** The call of SyncBoot. The kit's mark stands beside the members of `_meta`. */
export const CALL = `{
  "jsonrpc": "2.0",
  "id": "req-987a-42c1-8d23-01bf8a421e90",
  "method": "tools/call",
  "params": {
    "name": "{{tool:syncboot_generate_schema}}",
    "arguments": {
      "domainName": "MembershipGrade",
      "fields": [
        { "name": "gradeCode", "type": "VARCHAR(20)", "nullable": false, "primaryKey": true },
        { "name": "discountRate", "type": "DECIMAL(5,2)", "nullable": false, "defaultValue": "0.00" },
        { "name": "minSpentAmount", "type": "BIGINT", "nullable": false, "defaultValue": "0" }
      ],
      "enableAuditing": true
    },
    "_meta": {
      "traceId": "trace-sv-20260915-0012",
      "callerAgent": "SyncVerse",
      "targetAgent": "SyncBoot",
      "timeoutMs": 30000,
      "mcp-conformance/nonce": "{{nonce}}"
    }
  }
}`

/** What it is answered with. */
export const ANSWER = {
  content: [
    { type: 'text', text: '스키마 및 도메인 엔티티 생성이 완료되었습니다.' },
    {
      type: 'resource',
      resource: {
        uri: 'schema://syncboot/domain/MembershipGrade',
        mimeType: 'application/sql',
        text: 'CREATE TABLE tb_membership_grade (\n  grade_code VARCHAR(20) PRIMARY KEY,\n  discount_rate DECIMAL(5,2) NOT NULL DEFAULT 0.00,\n  min_spent_amount BIGINT NOT NULL DEFAULT 0,\n  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,\n  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP\n);',
      },
    },
  ],
  isError: false,
}

/** What a call took. */
export const USAGE = {
  executionTimeMs: 142,
  tokenUsage: { promptTokens: 320, completionTokens: 180, totalTokens: 500 },
}

/** Who calls whom, and how long the caller waits. */
export const TRACE = {
  traceId: 'trace-sv-20260915-0013',
  callerAgent: 'SyncVerse',
  targetAgent: 'SyncBoot',
  timeoutMs: 30_000,
}

/** The host that shakes hands. */
export const HOST = {
  revision: '2024-11-05',
  capabilities: { roots: { listChanged: true }, sampling: {} },
  clientInfo: { name: 'Enterprise-Agent-Host', version: '1.0.0' },
} as const

/** The server that answers it. */
export const SERVER = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  serverInfo: { name: 'CRM-MCP-Server', version: '1.0.0' },
}

/** The refund of the order, and what the server says of it. */
export const REFUND = { order_id: 'ORD-99', reason: '결제오류 이중과금 환불 승인' }
export const REFUNDED =
  "Successfully executed tool 'approve_refund' with args map[order_id:ORD-99 reason:결제오류 이중과금 환불 승인]"

/** The customers of the database. */
export const CUSTOMERS =
  '[{"id": 101, "name": "김철수", "email": "chulsoo@cloit.com", "status": "active", "recent_order": "ORD-99"}]'
