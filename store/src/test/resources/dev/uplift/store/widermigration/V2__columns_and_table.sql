-- What a version of Uplift may add while servers of the version before it run.
ALTER TABLE tenant ADD COLUMN region VARCHAR;
ALTER TABLE device ADD COLUMN owner VARCHAR DEFAULT 'nobody' NOT NULL;
ALTER TABLE audit ADD COLUMN address VARCHAR DEFAULT '' NOT NULL;

CREATE TABLE device_note (
  tenant VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  note VARCHAR NOT NULL,
  CONSTRAINT device_note_key PRIMARY KEY (tenant, device),
  CONSTRAINT device_note_of_device FOREIGN KEY (tenant, device) REFERENCES device (tenant, name)
);
