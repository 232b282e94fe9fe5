-- The same text runs on H2 (MODE=PostgreSQL) and on PostgreSQL. The tenant is the first column of
-- every key, so that no row can refer to one of another tenant. Times are kept to the millisecond.
-- What agents and people sent is kept as text, exactly.
--
-- An index that a list is read from has the columns of its ORDER BY, all of them, in their
-- direction: H2 reads no index backwards and skips no column that is given.

-- A row stays when its tenant is deleted, because the audit refers to it and the name is not used again. `removed_at`:
-- when nothing else of the tenant was left.
CREATE TABLE tenant (
  name VARCHAR NOT NULL,
  title VARCHAR NOT NULL,
  allow_hold_override BOOLEAN DEFAULT FALSE NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  deleted_at TIMESTAMP(3) WITH TIME ZONE,
  removed_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT tenant_key PRIMARY KEY (name)
);

-- A tenant in which nothing new begins.
CREATE TABLE tenant_stop (
  tenant VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  stopped_by VARCHAR NOT NULL,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT tenant_stop_key PRIMARY KEY (tenant),
  CONSTRAINT tenant_stop_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- `hosts` and `labels` are what is shown; `host.device` and `device_label` are what is asked.
-- `hosts`: ids in order, one per line. `labels`: name=value, one per line. `windows`: maintenance
-- windows as JSON that others read and write; empty: none.
CREATE TABLE device (
  tenant VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  hosts VARCHAR NOT NULL,
  labels VARCHAR NOT NULL,
  zone VARCHAR NOT NULL,
  windows VARCHAR DEFAULT '' NOT NULL,
  hold_reason VARCHAR,
  hold_by VARCHAR,
  hold_since TIMESTAMP(3) WITH TIME ZONE,
  hold_until TIMESTAMP(3) WITH TIME ZONE,
  version BIGINT NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  changed_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT device_key PRIMARY KEY (tenant, name),
  CONSTRAINT device_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- A package that is pinned on a device by an operator. `version`: the only one that may be installed; null: none may,
-- the package stays as it is. `revision` rises with every change.
CREATE TABLE pin (
  tenant VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR,
  reason VARCHAR NOT NULL,
  set_by VARCHAR NOT NULL,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  until TIMESTAMP(3) WITH TIME ZONE,
  revision BIGINT NOT NULL,
  CONSTRAINT pin_key PRIMARY KEY (tenant, device, package),
  CONSTRAINT pin_of_device FOREIGN KEY (tenant, device) REFERENCES device (tenant, name) ON DELETE CASCADE
);
CREATE INDEX pin_of_package ON pin (tenant, package, device);

CREATE TABLE device_label (
  tenant VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  label VARCHAR NOT NULL,
  label_value VARCHAR NOT NULL,
  CONSTRAINT device_label_key PRIMARY KEY (tenant, device, label),
  CONSTRAINT device_label_of_device FOREIGN KEY (tenant, device)
    REFERENCES device (tenant, name) ON DELETE CASCADE
);
CREATE INDEX device_label_value ON device_label (tenant, label, label_value, device);

-- The windows of all devices with a value of a label.
CREATE TABLE label_window (
  tenant VARCHAR NOT NULL,
  label VARCHAR NOT NULL,
  label_value VARCHAR NOT NULL,
  windows VARCHAR NOT NULL,
  version BIGINT NOT NULL,
  changed_by VARCHAR NOT NULL,
  changed_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT label_window_key PRIMARY KEY (tenant, label, label_value),
  CONSTRAINT label_window_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- A host that is on a device, or that ever reported. The key keeps a host on one device.
CREATE TABLE host (
  tenant VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  device VARCHAR,
  info VARCHAR,
  agent_version VARCHAR,
  architecture VARCHAR,
  drivers VARCHAR,
  boot_id VARCHAR,
  instance VARCHAR,
  state VARCHAR,
  info_versions VARCHAR,
  info_received_at TIMESTAMP(3) WITH TIME ZONE,
  versions VARCHAR DEFAULT '' NOT NULL,
  versions_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT host_key PRIMARY KEY (tenant, name),
  CONSTRAINT host_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name),
  CONSTRAINT host_of_device FOREIGN KEY (tenant, device) REFERENCES device (tenant, name)
);
CREATE INDEX host_by_device ON host (tenant, device);

-- `host.versions`, to be counted.
CREATE TABLE host_version (
  tenant VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  CONSTRAINT host_version_key PRIMARY KEY (tenant, package, host),
  CONSTRAINT host_version_of_host FOREIGN KEY (tenant, host)
    REFERENCES host (tenant, name) ON DELETE CASCADE
);
CREATE INDEX host_version_by_host ON host_version (tenant, host);

-- Each change of `host_version`: which version of a package a host ran from `since` up to the next change; without a
-- version: it did not report the package. `previous`: the version before. `upgrade`: the one that had changed the host; null: none
-- of ours had.
CREATE TABLE host_version_change (
  tenant VARCHAR NOT NULL,
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  host VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR,
  previous VARCHAR,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  upgrade VARCHAR,
  CONSTRAINT host_version_change_key PRIMARY KEY (tenant, number),
  CONSTRAINT host_version_change_of_host FOREIGN KEY (tenant, host) REFERENCES host (tenant, name) ON DELETE CASCADE
);
CREATE INDEX host_version_change_newest ON host_version_change (tenant, host, number DESC);
CREATE INDEX host_version_change_of_package ON host_version_change (tenant, package, since);
CREATE INDEX host_version_change_old ON host_version_change (since);

-- A package that the owner of a host holds there: nothing else is installed. As the host last reported. It is of the
-- host and not of its device, so that it goes with the host.
CREATE TABLE host_hold (
  tenant VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  held_by VARCHAR NOT NULL,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  until TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT host_hold_key PRIMARY KEY (tenant, host, package),
  CONSTRAINT host_hold_of_host FOREIGN KEY (tenant, host) REFERENCES host (tenant, name) ON DELETE CASCADE
);
CREATE INDEX host_hold_of_package ON host_hold (tenant, package, host);

-- What the repositories of a host offer for a package, as the host last reported; without a digest: nothing. `since`:
-- when it reported this digest first. `tried_digest`: what was offered when `upgrade` began, the
-- newest upgrade of the package on this host.
CREATE TABLE host_offer (
  tenant VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  digest VARCHAR NOT NULL,
  updates INTEGER NOT NULL,
  security INTEGER NOT NULL,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  tried_digest VARCHAR DEFAULT '' NOT NULL,
  upgrade VARCHAR DEFAULT '' NOT NULL,
  CONSTRAINT host_offer_key PRIMARY KEY (tenant, host, package),
  CONSTRAINT host_offer_of_host FOREIGN KEY (tenant, host) REFERENCES host (tenant, name) ON DELETE CASCADE
);
CREATE INDEX host_offer_of_package ON host_offer (tenant, package, host);

-- Written often, so it has no wide column and no index but its key.
CREATE TABLE host_heartbeat (
  tenant VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  instance VARCHAR NOT NULL,
  boot_id VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  versions VARCHAR NOT NULL,
  received_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT host_heartbeat_key PRIMARY KEY (tenant, host),
  CONSTRAINT host_heartbeat_of_host FOREIGN KEY (tenant, host)
    REFERENCES host (tenant, name) ON DELETE CASCADE
);

CREATE TABLE release (
  tenant VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  sequence BIGINT NOT NULL,
  manifest VARCHAR NOT NULL,
  signature VARCHAR NOT NULL,
  digest VARCHAR,
  size_bytes BIGINT,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  recorded_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT release_key PRIMARY KEY (tenant, package, version),
  CONSTRAINT release_sequence UNIQUE (tenant, package, sequence),
  CONSTRAINT release_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- The release of a package that a channel points at. `revision` rises with every move.
CREATE TABLE release_channel (
  tenant VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  moved_by VARCHAR NOT NULL,
  moved_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  revision BIGINT NOT NULL,
  CONSTRAINT release_channel_key PRIMARY KEY (tenant, package, channel),
  CONSTRAINT release_channel_of_release FOREIGN KEY (tenant, package, version)
    REFERENCES release (tenant, package, version)
);

-- No reference to the device or the release: what happened stays when they are gone. `run_id`: of
-- its workflow in Temporal; every upgrade of a device has the same workflow id. `revert_of`: the
-- upgrade that this one reverts; then `package` and `version` are those of the reverted one.
CREATE TABLE upgrade (
  tenant VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  started_by VARCHAR NOT NULL,
  started_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  plan VARCHAR NOT NULL,
  run_id VARCHAR NOT NULL,
  revert_of VARCHAR,
  outcome VARCHAR,
  reason_kind VARCHAR,
  reason_code VARCHAR,
  reason_class VARCHAR,
  reason_text VARCHAR,
  host_reports VARCHAR,
  ended_at TIMESTAMP(3) WITH TIME ZONE,
  failure_cleared_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT upgrade_key PRIMARY KEY (tenant, id),
  CONSTRAINT upgrade_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX upgrade_newest ON upgrade (tenant, started_at DESC, id DESC);
CREATE INDEX upgrade_of_device ON upgrade (tenant, device, started_at DESC, id DESC);
CREATE INDEX upgrade_of_release ON upgrade (tenant, device, package, version);
CREATE INDEX upgrade_of_version ON upgrade (tenant, package, version, device, ended_at DESC);
CREATE INDEX upgrade_of_package ON upgrade (tenant, package, started_at DESC, id DESC);
CREATE INDEX upgrade_by_outcome ON upgrade (tenant, outcome, started_at DESC, id DESC);
CREATE INDEX upgrade_running ON upgrade (state, started_at, tenant, id);

-- The running upgrades that have waited for a person, or for a host that is off. `since`: of the wait; null: it waits for
-- none any more. `recorded_at`: when its workflow said so, so that a report that is late counts no more.
CREATE TABLE upgrade_wait (
  tenant VARCHAR NOT NULL,
  upgrade VARCHAR NOT NULL,
  reason VARCHAR,
  message VARCHAR,
  since TIMESTAMP(3) WITH TIME ZONE,
  until_at TIMESTAMP(3) WITH TIME ZONE,
  recorded_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT upgrade_wait_key PRIMARY KEY (tenant, upgrade),
  CONSTRAINT upgrade_wait_of_upgrade FOREIGN KEY (tenant, upgrade) REFERENCES upgrade (tenant, id) ON DELETE CASCADE
);

-- Locked while a command to the host is created.
CREATE TABLE host_epoch (
  tenant VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  epoch BIGINT NOT NULL,
  CONSTRAINT host_epoch_key PRIMARY KEY (tenant, host),
  CONSTRAINT host_epoch_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- No reference to the upgrade: a workflow that outlives the restoring of an older copy of the
-- tables must be able to go on. Without a body: withdrawn.
CREATE TABLE command (
  tenant VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  upgrade VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  generation INTEGER NOT NULL,
  epoch BIGINT NOT NULL,
  body VARCHAR,
  signature VARCHAR,
  workflow_id VARCHAR,
  activity_id VARCHAR,
  cancelled_by VARCHAR,
  outcome VARCHAR,
  progress VARCHAR,
  stream_sequence BIGINT,
  publish_count INTEGER NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  published_at TIMESTAMP(3) WITH TIME ZONE,
  accepted_at TIMESTAMP(3) WITH TIME ZONE,
  closed_at TIMESTAMP(3) WITH TIME ZONE,
  -- The end of the log that came with `outcome`, which is kept without it.
  log VARCHAR,
  CONSTRAINT command_key PRIMARY KEY (tenant, id),
  CONSTRAINT command_created_once UNIQUE (tenant, upgrade, host, step, generation),
  CONSTRAINT command_of_host FOREIGN KEY (tenant, host) REFERENCES host_epoch (tenant, host),
  CONSTRAINT command_cancelled FOREIGN KEY (tenant, cancelled_by) REFERENCES command (tenant, id)
);

CREATE INDEX command_of_upgrade ON command (tenant, upgrade, created_at);
-- The open commands of one host.
CREATE INDEX command_to_host ON command (tenant, host, closed_at);
-- PostgreSQL would read all commands of the tenant for each one that is archived, to see that none refers to it.
CREATE INDEX command_by_cancel ON command (tenant, cancelled_by);

CREATE TABLE late_outcome (
  tenant VARCHAR NOT NULL,
  command VARCHAR NOT NULL,
  number INTEGER NOT NULL,
  outcome VARCHAR NOT NULL,
  received_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  log VARCHAR,
  CONSTRAINT late_outcome_key PRIMARY KEY (tenant, command, number),
  CONSTRAINT late_outcome_of_command FOREIGN KEY (tenant, command) REFERENCES command (tenant, id)
);

-- `step`: the step that waits; it decides which agents count. `outgoing_instance`: the agent that
-- hands over to another; empty: none.
CREATE TABLE heartbeat_wait (
  tenant VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  previous_boot_id VARCHAR NOT NULL,
  previous_instance VARCHAR NOT NULL,
  outgoing_instance VARCHAR DEFAULT '' NOT NULL,
  workflow_id VARCHAR NOT NULL,
  activity_id VARCHAR NOT NULL,
  waiting_since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT heartbeat_wait_key PRIMARY KEY (tenant, host),
  CONSTRAINT heartbeat_wait_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX heartbeat_wait_newest ON heartbeat_wait (waiting_since);

-- `plan`, `rules` and `control` are JSON that others read and write. Results with a number above
-- `baseline_result_number` count against thresholds. `revision` rises with each change of plan,
-- rules or control.
-- `authors`: who changed or started it besides `created_by`, one a line. `policy`: the one that started it; empty: a
-- person did.
CREATE TABLE rollout (
  tenant VARCHAR NOT NULL,
  id VARCHAR NOT NULL,
  title VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  plan VARCHAR NOT NULL,
  rules VARCHAR NOT NULL,
  control VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  priority INTEGER NOT NULL,
  wave_count INTEGER DEFAULT 0 NOT NULL,
  current_wave INTEGER DEFAULT 0 NOT NULL,
  baseline_result_number BIGINT DEFAULT 0 NOT NULL,
  last_result_number BIGINT DEFAULT 0 NOT NULL,
  created_by VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  start_at TIMESTAMP(3) WITH TIME ZONE,
  started_at TIMESTAMP(3) WITH TIME ZONE,
  ended_at TIMESTAMP(3) WITH TIME ZONE,
  outcome VARCHAR,
  wait_reason VARCHAR,
  wait_message VARCHAR,
  wait_since TIMESTAMP(3) WITH TIME ZONE,
  wait_until TIMESTAMP(3) WITH TIME ZONE,
  revision BIGINT DEFAULT 1 NOT NULL,
  authors VARCHAR DEFAULT '' NOT NULL,
  policy VARCHAR DEFAULT '' NOT NULL,
  CONSTRAINT rollout_key PRIMARY KEY (tenant, id),
  CONSTRAINT rollout_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX rollout_newest ON rollout (tenant, created_at DESC, id DESC);
CREATE INDEX rollout_in_state ON rollout (state, tenant, id);
CREATE INDEX rollout_of_policy ON rollout (tenant, policy, created_at DESC, id DESC);

-- Only drafts are ever removed, and their waves with them.
-- `watched_ms`: how much of the soak was watched since `last_ended_at`, last extended up to
-- `watched_until`. `unheard`: the devices that were not heard when last checked.
CREATE TABLE rollout_wave (
  tenant VARCHAR NOT NULL,
  rollout VARCHAR NOT NULL,
  number INTEGER NOT NULL,
  plan_index INTEGER NOT NULL,
  title VARCHAR NOT NULL,
  size INTEGER NOT NULL,
  approved_by VARCHAR,
  approved_at TIMESTAMP(3) WITH TIME ZONE,
  remark VARCHAR,
  started_at TIMESTAMP(3) WITH TIME ZONE,
  last_ended_at TIMESTAMP(3) WITH TIME ZONE,
  completed_at TIMESTAMP(3) WITH TIME ZONE,
  completed_by VARCHAR,
  watched_ms BIGINT DEFAULT 0 NOT NULL,
  watched_until TIMESTAMP(3) WITH TIME ZONE,
  unheard VARCHAR DEFAULT '' NOT NULL,
  CONSTRAINT rollout_wave_key PRIMARY KEY (tenant, rollout, number),
  CONSTRAINT rollout_wave_of_rollout FOREIGN KEY (tenant, rollout)
    REFERENCES rollout (tenant, id) ON DELETE CASCADE
);

-- Locked while a rollout of the tenant counts how full its groups are. The row of the tenant itself
-- would do, but every insert that refers to it would wait for the lock.
CREATE TABLE group_lock (
  tenant VARCHAR NOT NULL,
  CONSTRAINT group_lock_key PRIMARY KEY (tenant),
  CONSTRAINT group_lock_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name) ON DELETE CASCADE
);

-- No reference to the device or the upgrade: what happened stays when they are gone.
-- `revert_count`: how often its upgrade was to be reverted. `prepare_ahead`: started before its
-- window, only to prepare. A result without a `result_number` does not count against thresholds.
-- `previous_started_at`: when the attempt before the newest one started. `offline_since`: when its
-- turn had come and a host of it was not heard; null as long as that is not so.
CREATE TABLE rollout_target (
  tenant VARCHAR NOT NULL,
  rollout VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  wave INTEGER NOT NULL,
  position BIGINT NOT NULL,
  state VARCHAR NOT NULL,
  prepare_ahead BOOLEAN DEFAULT FALSE NOT NULL,
  attempt INTEGER DEFAULT 1 NOT NULL,
  upgrade VARCHAR,
  result VARCHAR,
  result_number BIGINT,
  changed BOOLEAN DEFAULT FALSE NOT NULL,
  error_code VARCHAR,
  error_class VARCHAR,
  error_text VARCHAR,
  started_at TIMESTAMP(3) WITH TIME ZONE,
  previous_started_at TIMESTAMP(3) WITH TIME ZONE,
  ended_at TIMESTAMP(3) WITH TIME ZONE,
  not_before TIMESTAMP(3) WITH TIME ZONE,
  revert_count INTEGER DEFAULT 0 NOT NULL,
  revert_upgrade VARCHAR,
  revert_outcome VARCHAR,
  offline_since TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT rollout_target_key PRIMARY KEY (tenant, rollout, device),
  CONSTRAINT rollout_target_of_rollout FOREIGN KEY (tenant, rollout)
    REFERENCES rollout (tenant, id) ON DELETE CASCADE
);
-- With every column that is counted several times a second.
CREATE INDEX rollout_target_queue
  ON rollout_target (tenant, rollout, state, wave, position, prepare_ahead, result, offline_since);
CREATE INDEX rollout_target_of_device ON rollout_target (tenant, device, state);
CREATE INDEX rollout_target_result_number ON rollout_target (tenant, rollout, result_number DESC, result);
CREATE INDEX rollout_target_result ON rollout_target (tenant, rollout, result, device);
CREATE INDEX rollout_target_started ON rollout_target (tenant, rollout, started_at);
CREATE INDEX rollout_target_previous_start
  ON rollout_target (tenant, rollout, previous_started_at);

-- `request_id`: of what a person asked for, so that a repeated request is decided once.
CREATE TABLE rollout_decision (
  tenant VARCHAR NOT NULL,
  rollout VARCHAR NOT NULL,
  number BIGINT NOT NULL,
  decided_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  wave INTEGER NOT NULL,
  decision VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  message VARCHAR NOT NULL,
  inputs VARCHAR NOT NULL,
  actor VARCHAR NOT NULL,
  request_id VARCHAR,
  CONSTRAINT rollout_decision_key PRIMARY KEY (tenant, rollout, number),
  CONSTRAINT rollout_decision_once UNIQUE (tenant, rollout, request_id),
  CONSTRAINT rollout_decision_of_rollout FOREIGN KEY (tenant, rollout)
    REFERENCES rollout (tenant, id) ON DELETE CASCADE
);
CREATE INDEX rollout_decision_newest ON rollout_decision (tenant, rollout, number DESC);

CREATE TABLE rollout_exclusion (
  tenant VARCHAR NOT NULL,
  rollout VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  detail VARCHAR NOT NULL,
  CONSTRAINT rollout_exclusion_key PRIMARY KEY (tenant, rollout, device),
  CONSTRAINT rollout_exclusion_of_rollout FOREIGN KEY (tenant, rollout)
    REFERENCES rollout (tenant, id) ON DELETE CASCADE
);

-- `spec` is JSON that others read and write. `version` rises with each change by a person.
CREATE TABLE policy (
  tenant VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  title VARCHAR NOT NULL,
  description VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  enabled BOOLEAN NOT NULL,
  enabled_at TIMESTAMP(3) WITH TIME ZONE,
  priority INTEGER NOT NULL,
  spec VARCHAR NOT NULL,
  version BIGINT NOT NULL,
  created_by VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  changed_by VARCHAR NOT NULL,
  changed_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT policy_key PRIMARY KEY (tenant, name),
  CONSTRAINT policy_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX policy_of_package ON policy (tenant, package, enabled);
CREATE INDEX policy_enabled ON policy (enabled, tenant, name);

-- How a policy stood when all its devices were last looked at. `complete_since`: since when nothing is left to do; null
-- as long as that is not so. `conflicts`: names of the policies that overruled it for a device, one a line.
CREATE TABLE policy_evaluation (
  tenant VARCHAR NOT NULL,
  policy VARCHAR NOT NULL,
  policy_version BIGINT NOT NULL,
  evaluated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  complete_since TIMESTAMP(3) WITH TIME ZONE,
  conflicts VARCHAR NOT NULL,
  CONSTRAINT policy_evaluation_key PRIMARY KEY (tenant, policy),
  CONSTRAINT policy_evaluation_of_policy FOREIGN KEY (tenant, policy)
    REFERENCES policy (tenant, name) ON DELETE CASCADE
);

-- `spec` is JSON that others read and write. `migrated_by`: the device whose upgrade is the migration; null: a person or a
-- program says when it is done. `until_at`: when every halted host resumes by itself.
CREATE TABLE barrier (
  tenant VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  spec VARCHAR NOT NULL,
  migrated_by VARCHAR,
  state VARCHAR NOT NULL,
  created_by VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  deadline_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  until_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  halted_at TIMESTAMP(3) WITH TIME ZONE,
  continued_by VARCHAR,
  aborted_by VARCHAR,
  abort_reason VARCHAR,
  ended_at TIMESTAMP(3) WITH TIME ZONE,
  outcome VARCHAR,
  message VARCHAR,
  rollout VARCHAR,
  CONSTRAINT barrier_key PRIMARY KEY (tenant, name),
  CONSTRAINT barrier_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX barrier_newest ON barrier (tenant, created_at DESC, name DESC);
CREATE INDEX barrier_in_state ON barrier (state, tenant, name);

-- No reference to the host: what happened stays when it is gone. `halt_generation`, `resume_generation`: of its newest
-- command; 0: there is none.
CREATE TABLE barrier_host (
  tenant VARCHAR NOT NULL,
  barrier VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  detail VARCHAR DEFAULT '' NOT NULL,
  halt_generation INTEGER DEFAULT 0 NOT NULL,
  resume_generation INTEGER DEFAULT 0 NOT NULL,
  CONSTRAINT barrier_host_key PRIMARY KEY (tenant, barrier, host),
  CONSTRAINT barrier_host_of_barrier FOREIGN KEY (tenant, barrier)
    REFERENCES barrier (tenant, name) ON DELETE CASCADE
);
CREATE INDEX barrier_host_state ON barrier_host (tenant, barrier, state, host);

-- The devices of barriers that have not ended. The key keeps a package of a device in one of them.
CREATE TABLE barrier_device (
  tenant VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  barrier VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  until TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT barrier_device_key PRIMARY KEY (tenant, device, package),
  CONSTRAINT barrier_device_of_barrier FOREIGN KEY (tenant, barrier)
    REFERENCES barrier (tenant, name) ON DELETE CASCADE
);
CREATE INDEX barrier_device_of_package ON barrier_device (tenant, package, device);
CREATE INDEX barrier_device_by_barrier ON barrier_device (tenant, barrier);

-- Tokens with which hosts join. Only the hash of a token is kept.
CREATE TABLE enrolment_token (
  tenant VARCHAR NOT NULL,
  hash VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  created_by VARCHAR NOT NULL,
  expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  used_at TIMESTAMP(3) WITH TIME ZONE,
  used_by_key VARCHAR,
  CONSTRAINT enrolment_token_key PRIMARY KEY (tenant, hash),
  CONSTRAINT enrolment_token_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
-- H2 plans a statement once, while the tables are empty: with a third column in these two indexes it
-- prefers one that has nothing but the tenant, and reads all rows of the tenant each time.
CREATE INDEX enrolment_token_of_host ON enrolment_token (tenant, host);

-- The public keys with which hosts log in. `jwt_expires_at`: end of the last user JWT issued for the
-- key. `cleaned_at`: what another system on the same host had left is removed.
CREATE TABLE host_credential (
  tenant VARCHAR NOT NULL,
  nkey VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  jwt_expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  cleaned_at TIMESTAMP(3) WITH TIME ZONE,
  rotation_requested BOOLEAN DEFAULT FALSE NOT NULL,
  revoked_at TIMESTAMP(3) WITH TIME ZONE,
  revoked_by VARCHAR,
  CONSTRAINT host_credential_key PRIMARY KEY (tenant, nkey),
  CONSTRAINT host_credential_known UNIQUE (nkey),
  CONSTRAINT host_credential_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX host_credential_of_host ON host_credential (tenant, host);
CREATE INDEX host_credential_revoked ON host_credential (revoked_at, jwt_expires_at);

-- The list of revoked keys that was last published to NATS. One row. `publisher`: the server whose turn it
-- is to publish, at most until `publishes_until`, so that of two servers none publishes an older list
-- after a newer one, and none keeps a transaction open while NATS answers. `issued_at_second`: the second
-- that the list carries; it only rises.
CREATE TABLE revocation_list (
  id INTEGER NOT NULL,
  issued_at_second BIGINT NOT NULL,
  digest VARCHAR NOT NULL,
  publisher VARCHAR,
  publishes_until TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT revocation_list_key PRIMARY KEY (id)
);
INSERT INTO revocation_list (id, issued_at_second, digest) VALUES (1, 0, '');

-- The trust roots of a tenant, each signed by the one before.
CREATE TABLE trust_root (
  tenant VARCHAR NOT NULL,
  version BIGINT NOT NULL,
  document VARCHAR NOT NULL,
  signature VARCHAR NOT NULL,
  recorded_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT trust_root_key PRIMARY KEY (tenant, version),
  CONSTRAINT trust_root_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

CREATE INDEX trust_root_recorded ON trust_root (recorded_at);

-- Bearer tokens of people and programs that count no more, until they have expired. `tenant`: of the
-- tokens; `*`, which is no tenant, for those of every tenant. `token_id` or `subject` is empty.
CREATE TABLE token_revocation (
  tenant VARCHAR NOT NULL,
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  token_id VARCHAR NOT NULL,
  subject VARCHAR NOT NULL,
  issued_before TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  reason VARCHAR NOT NULL,
  revoked_by VARCHAR NOT NULL,
  revoked_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT token_revocation_key PRIMARY KEY (tenant, number)
);

-- Tokens of scripts. Only the hash of a token is kept. `last_used_at`: to about ten minutes.
CREATE TABLE api_token (
  tenant VARCHAR NOT NULL,
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  id VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  role VARCHAR NOT NULL,
  hash VARCHAR NOT NULL,
  created_by VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  last_used_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT api_token_key PRIMARY KEY (tenant, number),
  CONSTRAINT api_token_id UNIQUE (tenant, id),
  CONSTRAINT api_token_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

CREATE TABLE audit (
  tenant VARCHAR NOT NULL,
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  occurred_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  actor VARCHAR NOT NULL,
  action VARCHAR NOT NULL,
  target VARCHAR NOT NULL,
  origin VARCHAR NOT NULL,
  detail VARCHAR NOT NULL,
  CONSTRAINT audit_key PRIMARY KEY (tenant, number),
  CONSTRAINT audit_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX audit_newest ON audit (tenant, number DESC);
CREATE INDEX audit_of_target ON audit (tenant, target, number DESC);

-- What happened in a tenant, for its event streams: written in the transaction of what happened. `number` is given later,
-- to rows that are committed, in the order of `id`: below a number that a reader has seen none is added. `result`: an
-- outcome or a state, as the kind says. `wave`: 0 for none. `webhook`: the only one that it is sent to; null: to all.
CREATE TABLE tenant_event (
  tenant VARCHAR NOT NULL,
  id BIGINT GENERATED ALWAYS AS IDENTITY,
  number BIGINT,
  occurred_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  kind VARCHAR NOT NULL,
  rollout VARCHAR,
  upgrade VARCHAR,
  device VARCHAR,
  package VARCHAR,
  version VARCHAR,
  result VARCHAR,
  wave INTEGER DEFAULT 0 NOT NULL,
  message VARCHAR,
  actor VARCHAR,
  until_at TIMESTAMP(3) WITH TIME ZONE,
  barrier VARCHAR,
  webhook VARCHAR,
  CONSTRAINT tenant_event_key PRIMARY KEY (tenant, id),
  CONSTRAINT tenant_event_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX tenant_event_number ON tenant_event (tenant, number, id);
CREATE INDEX tenant_event_old ON tenant_event (occurred_at);

-- The number that was given last. Locked while numbers are given.
CREATE TABLE tenant_event_counter (
  tenant VARCHAR NOT NULL,
  last_number BIGINT NOT NULL,
  CONSTRAINT tenant_event_counter_key PRIMARY KEY (tenant),
  CONSTRAINT tenant_event_counter_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- Where events of a tenant are sent. `events`: kinds, or groups of them, one a line; empty: all. `escalate_after_seconds`:
-- after how long a wait for a person, or for a host that is off, is told once more; 0: never. `secret`: encrypted, so that
-- the tables alone sign nothing. `previous_secret` signs as well, until `previous_secret_until`. `version` rises with each
-- change by a person.
CREATE TABLE webhook (
  tenant VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  url VARCHAR NOT NULL,
  description VARCHAR NOT NULL,
  events VARCHAR NOT NULL,
  escalate_after_seconds BIGINT NOT NULL,
  enabled BOOLEAN NOT NULL,
  secret VARCHAR NOT NULL,
  previous_secret VARCHAR,
  previous_secret_until TIMESTAMP(3) WITH TIME ZONE,
  disabled_by VARCHAR,
  disabled_at TIMESTAMP(3) WITH TIME ZONE,
  disabled_reason VARCHAR,
  version BIGINT NOT NULL,
  created_by VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  changed_by VARCHAR NOT NULL,
  changed_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT webhook_key PRIMARY KEY (tenant, name),
  CONSTRAINT webhook_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- How far a webhook is. `position`: number of the last event that was sent or is not to be sent. `failures`: attempts
-- since the last success, the first of them at `failing_since`.
CREATE TABLE webhook_delivery (
  tenant VARCHAR NOT NULL,
  webhook VARCHAR NOT NULL,
  position BIGINT NOT NULL,
  delivered_number BIGINT DEFAULT 0 NOT NULL,
  delivered_at TIMESTAMP(3) WITH TIME ZONE,
  failures INTEGER DEFAULT 0 NOT NULL,
  failing_since TIMESTAMP(3) WITH TIME ZONE,
  last_error VARCHAR,
  last_error_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT webhook_delivery_key PRIMARY KEY (tenant, webhook),
  CONSTRAINT webhook_delivery_of_webhook FOREIGN KEY (tenant, webhook)
    REFERENCES webhook (tenant, name) ON DELETE CASCADE
);

-- The waits, each by its beginning, that a webhook was told of once more. `kind`: of what waits; `subject`: its id.
CREATE TABLE webhook_escalation (
  tenant VARCHAR NOT NULL,
  webhook VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  subject VARCHAR NOT NULL,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT webhook_escalation_key PRIMARY KEY (tenant, webhook, kind, subject, since),
  CONSTRAINT webhook_escalation_of_webhook FOREIGN KEY (tenant, webhook)
    REFERENCES webhook (tenant, name) ON DELETE CASCADE
);

-- Workflows whose task fails again and again, until it succeeds or the workflow ends. `error`: of the last failure.
CREATE TABLE failing_workflow (
  tenant VARCHAR NOT NULL,
  workflow_id VARCHAR NOT NULL,
  failing_since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  attempts INTEGER NOT NULL,
  error VARCHAR NOT NULL,
  CONSTRAINT failing_workflow_key PRIMARY KEY (tenant, workflow_id),
  CONSTRAINT failing_workflow_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- Which server reconciles. `position`: where its last run ended.
CREATE TABLE reconciler_lease (
  name VARCHAR NOT NULL,
  holder VARCHAR NOT NULL,
  expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  position VARCHAR NOT NULL,
  CONSTRAINT reconciler_lease_key PRIMARY KEY (name)
);
