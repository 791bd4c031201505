//! The server from the outside: real connections on loopback, the tiny games, stores in temporary folders.

mod accounts;
mod artifacts;
mod authorisation;
mod common;
mod early;
mod figures;
mod hidden;
mod hostile;
mod keeping;
mod keys;
mod limits;
mod logs;
mod one_board;
mod openapi;
mod probes;
mod secrets;
mod service_limits;
mod sockets;
mod tables;
mod together;
mod twinned;
mod viewpoint;
