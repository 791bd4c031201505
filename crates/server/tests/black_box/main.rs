//! The server from the outside: real connections on loopback, the tiny games, stores in temporary folders.

mod accounts;
mod artifacts;
mod authorisation;
mod common;
mod prefetch;
mod metrics;
mod hidden_coins;
mod hostile;
mod retention;
mod codenames_keys;
mod limits;
mod logs;
mod one_board;
mod openapi;
mod probes;
mod non_interference;
mod service_limits;
mod sockets;
mod tables;
mod replication;
mod indistinguishable;
mod viewpoint;
