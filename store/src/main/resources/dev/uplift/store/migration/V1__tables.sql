-- The same text runs on H2 (MODE=PostgreSQL) and on PostgreSQL. The tenant is the first column of
-- every key, so that no row can refer to one of another tenant. Times are kept to the millisecond.
-- What agents and people said is kept as text, exactly.
--
-- An index that a list is read from has the columns of its ORDER BY, all of them, in their
-- direction: H2 reads no index backwards and skips no column that is given.

CREATE TABLE tenant (
  name VARCHAR NOT NULL,
  title VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT tenant_key PRIMARY KEY (name)
);

-- `hosts` and `labels` are what is shown; `host.device` and `device_label` are what is asked.
-- `hosts`: ids in order, one per line. `labels`: name=value, one per line.
CREATE TABLE device (
  tenant VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  hosts VARCHAR NOT NULL,
  labels VARCHAR NOT NULL,
  zone VARCHAR NOT NULL,
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

CREATE TABLE device_label (
  tenant VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  label VARCHAR NOT NULL,
  content VARCHAR NOT NULL,
  CONSTRAINT device_label_key PRIMARY KEY (tenant, device, label),
  CONSTRAINT device_label_of_device FOREIGN KEY (tenant, device)
    REFERENCES device (tenant, name) ON DELETE CASCADE
);
CREATE INDEX device_label_asked ON device_label (tenant, label, content, device);

-- A host that is on a device, or that ever spoke. The key is what puts a host on one device.
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
  informed_versions VARCHAR,
  informed_at TIMESTAMP(3) WITH TIME ZONE,
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

-- Written often, so it has no wide column and no index but its key.
CREATE TABLE host_beat (
  tenant VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  instance VARCHAR NOT NULL,
  boot_id VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  versions VARCHAR NOT NULL,
  beat_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT host_beat_key PRIMARY KEY (tenant, host),
  CONSTRAINT host_beat_of_host FOREIGN KEY (tenant, host)
    REFERENCES host (tenant, name) ON DELETE CASCADE
);

CREATE TABLE release (
  tenant VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  sequence BIGINT NOT NULL,
  content VARCHAR NOT NULL,
  signature VARCHAR NOT NULL,
  digest VARCHAR,
  size_bytes BIGINT,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  recorded_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT release_key PRIMARY KEY (tenant, package, version),
  CONSTRAINT release_sequence UNIQUE (tenant, package, sequence),
  CONSTRAINT release_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

-- No reference to the device or the release: what happened stays when they are gone.
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
  outcome VARCHAR,
  reason_kind VARCHAR,
  reason_code VARCHAR,
  reason_class VARCHAR,
  reason_text VARCHAR,
  hosts VARCHAR,
  ended_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT upgrade_key PRIMARY KEY (tenant, id),
  CONSTRAINT upgrade_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX upgrade_newest ON upgrade (tenant, started_at DESC, id DESC);
CREATE INDEX upgrade_of_device ON upgrade (tenant, device, started_at DESC, id DESC);
CREATE INDEX upgrade_tried ON upgrade (tenant, device, package, version);
CREATE INDEX upgrade_of_package ON upgrade (tenant, package, started_at DESC, id DESC);
CREATE INDEX upgrade_by_outcome ON upgrade (tenant, outcome, started_at DESC, id DESC);
CREATE INDEX upgrade_in_work ON upgrade (state, started_at, tenant, id);

-- Locked while a command to the host is minted.
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
  waiter_workflow VARCHAR,
  waiter_activity VARCHAR,
  cancelled_by VARCHAR,
  outcome VARCHAR,
  progress VARCHAR,
  slot BIGINT,
  sends INTEGER NOT NULL,
  minted_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  published_at TIMESTAMP(3) WITH TIME ZONE,
  accepted_at TIMESTAMP(3) WITH TIME ZONE,
  settled_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT command_key PRIMARY KEY (tenant, id),
  CONSTRAINT command_minted_once UNIQUE (tenant, upgrade, host, step, generation),
  CONSTRAINT command_of_host FOREIGN KEY (tenant, host) REFERENCES host_epoch (tenant, host),
  CONSTRAINT command_cancelled FOREIGN KEY (tenant, cancelled_by) REFERENCES command (tenant, id)
);

CREATE INDEX command_of_upgrade ON command (tenant, upgrade, minted_at);

CREATE TABLE late_outcome (
  tenant VARCHAR NOT NULL,
  command VARCHAR NOT NULL,
  number INTEGER NOT NULL,
  outcome VARCHAR NOT NULL,
  said_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT late_outcome_key PRIMARY KEY (tenant, command, number),
  CONSTRAINT late_outcome_of_command FOREIGN KEY (tenant, command) REFERENCES command (tenant, id)
);

CREATE TABLE expectation (
  tenant VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  package VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  boot_before VARCHAR NOT NULL,
  instance VARCHAR NOT NULL,
  waiter_workflow VARCHAR NOT NULL,
  waiter_activity VARCHAR NOT NULL,
  since TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT expectation_key PRIMARY KEY (tenant, host),
  CONSTRAINT expectation_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

CREATE TABLE audit (
  tenant VARCHAR NOT NULL,
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  done_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  who VARCHAR NOT NULL,
  action VARCHAR NOT NULL,
  target VARCHAR NOT NULL,
  origin VARCHAR NOT NULL,
  detail VARCHAR NOT NULL,
  CONSTRAINT audit_key PRIMARY KEY (tenant, number),
  CONSTRAINT audit_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX audit_newest ON audit (tenant, number DESC);
CREATE INDEX audit_of_target ON audit (tenant, target, number DESC);
