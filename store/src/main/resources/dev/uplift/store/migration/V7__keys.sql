-- Whose word counts in a tenant: every root it has had, each signed by the one before.
CREATE TABLE trust_root (
  tenant VARCHAR NOT NULL,
  version BIGINT NOT NULL,
  content VARCHAR NOT NULL,
  signature VARCHAR NOT NULL,
  recorded_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT trust_root_key PRIMARY KEY (tenant, version),
  CONSTRAINT trust_root_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);

CREATE INDEX trust_root_recorded ON trust_root (recorded_at);
