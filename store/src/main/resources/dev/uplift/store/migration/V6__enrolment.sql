-- Tokens with which hosts join. Of a token itself no more is kept than its hash.
CREATE TABLE enrolment_token (
  tenant VARCHAR NOT NULL,
  hash VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  created_by VARCHAR NOT NULL,
  expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  used_at TIMESTAMP(3) WITH TIME ZONE,
  used_key VARCHAR,
  CONSTRAINT enrolment_token_key PRIMARY KEY (tenant, hash),
  CONSTRAINT enrolment_token_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX enrolment_token_of_host ON enrolment_token (tenant, host, created_at);

-- The public keys that hosts log in with. `expires_at`: when the last ticket that was made out to
-- the key ends. `settled_at`: what another system at the same host had left is cleared away.
CREATE TABLE host_credential (
  tenant VARCHAR NOT NULL,
  nkey VARCHAR NOT NULL,
  host VARCHAR NOT NULL,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  expires_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  settled_at TIMESTAMP(3) WITH TIME ZONE,
  rotate BOOLEAN DEFAULT FALSE NOT NULL,
  revoked_at TIMESTAMP(3) WITH TIME ZONE,
  revoked_by VARCHAR,
  CONSTRAINT host_credential_key PRIMARY KEY (tenant, nkey),
  CONSTRAINT host_credential_known UNIQUE (nkey),
  CONSTRAINT host_credential_of_tenant FOREIGN KEY (tenant) REFERENCES tenant (name)
);
CREATE INDEX host_credential_of_host ON host_credential (tenant, host, created_at);
CREATE INDEX host_credential_revoked ON host_credential (revoked_at, expires_at);

-- What is open of one host.
CREATE INDEX command_to_host ON command (tenant, host, settled_at);
