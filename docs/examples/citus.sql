-- Spreads Placard's tables over a Citus cluster by their user, in an empty database that was migrated.
-- Read "Citus" in docs/scale.md first: Placard doesn't run on Citus yet. CitusTests makes this file.

BEGIN;

-- Unique over all users, and so on every server, from which no foreign key may lead to one user's server.
ALTER TABLE aliases DROP CONSTRAINT aliases_user_id_fkey;
ALTER TABLE merged_users DROP CONSTRAINT merged_users_user_id_fkey;

-- All rows of a user are on one server.
SELECT create_distributed_table('users', 'id');
SELECT create_distributed_table('conversions', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('deliveries', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('departures', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('events', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('histories', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('moved_events', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('spending', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('test_cards', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('test_users', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('triggers', 'user_id', colocate_with => 'users');
SELECT create_distributed_table('withholdings', 'user_id', colocate_with => 'users');

SELECT create_reference_table('aliases');
SELECT create_reference_table('merged_logs');
SELECT create_reference_table('merged_users');

-- All other tables stay on the coordinator.

COMMIT;
